import type { Authorize, Secret } from "./client.js";
import { ApiError } from "./errors.js";
import type { OutgoingRequest } from "./operation.js";
import { setHeader } from "./request/headers.js";
import { percentEncode, ownProperty } from "./request/parameters.js";

/** The credentials of `basic`. */
export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** The location of an API key. */
export interface ApiKeyLocation {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
}

/** Functions that turn a credential into an `authorize` option, by security scheme of the description. */
export type SecuritySchemes = Readonly<Record<string, (credential: never) => Authorize>>;

/** Optional credentials, one for each security scheme. */
export type Credentials<S extends SecuritySchemes> = {
  readonly [Name in keyof S]?: Parameters<S[Name]>[0] | undefined;
};

/**
 * Sends a user name and password as `Authorization: Basic`, in UTF-8.
 *
 * Calls fail with code `request` if the user name has a colon.
 *
 * @example
 * const client = createClient({ authorize: basic("ada", password) });
 */
export function basicAuth(user: string, password: string): Authorize {
  return (request) => {
    if (user.includes(":")) rejectRequest(request, "a user name must not have a colon");
    const bytes = new TextEncoder().encode(`${user}:${password}`);
    request.headers.set("authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`);
  };
}

/**
 * Sends a token as `Authorization: Bearer`, like the option `token`.
 *
 * @param token the token, or a function that returns it before each request
 * @example
 * authorizeBySecurity({ oauth: bearer }, { oauth: () => session.token() })
 */
export function bearerAuth(token: Secret): Authorize {
  return async (request) => setCredential(request, "authorization", `Bearer ${await resolveSecret(token)}`);
}

/**
 * Sends an API key in a header, the query or a cookie.
 *
 * With a key in a header, redirected calls fail with code `network`: `fetch` would send the header to any origin.
 *
 * @param key the key, or a function that returns it before each request
 * @example
 * const client = createClient({ authorize: apiKey({ in: "header", name: "X-Key" }, key) });
 */
export function apiKeyAuth({ in: place, name }: ApiKeyLocation, key: Secret): Authorize {
  return async (request) => {
    const value = await resolveSecret(key);
    if (place === "header") {
      setCredential(request, name, value);
      request.redirect ??= "error";
    } else if (place === "query") {
      const url = new URL(request.url);
      url.search += `${url.search && "&"}${percentEncode(name)}=${percentEncode(value)}`;
      request.url = url.href;
    } else {
      const cookies = request.headers.get("cookie");
      setCredential(request, "cookie", `${cookies ? `${cookies}; ` : ""}${name}=${percentEncode(value)}`);
    }
  };
}

/**
 * Sends the credentials that each operation requires: those of its first security requirement for which you provide all of them.
 * Without such a requirement, sends none.
 *
 * @param schemes a function for each security scheme of the description
 * @param credentials the credentials you have, by security scheme
 * @example
 * const schemes = { key: (key: Secret) => apiKey({ in: "header", name: "X-Key" }, key), oauth: bearer };
 * const client = createClient({ authorize: authorizeBySecurity(schemes, { oauth: token }) });
 */
export function authorizeBySecurity<const S extends SecuritySchemes>(
  schemes: S,
  credentials: Credentials<S>,
): Authorize {
  const given = (name: string): unknown => ownProperty(credentials, name);
  return async (request, operation) => {
    const chosen = operation.security?.find((names) =>
      names.every((name) => ownProperty(schemes, name) && given(name) !== undefined),
    );
    for (const name of chosen ?? [])
      await ownProperty<(value: unknown) => Authorize>(schemes, name)?.(given(name))(request, operation);
  };
}

async function resolveSecret(secret: Secret): Promise<string> {
  return typeof secret === "function" ? secret() : secret;
}

function setCredential(request: OutgoingRequest, name: string, value: string): void {
  try {
    setHeader(request.headers, name, value);
  } catch (cause) {
    rejectRequest(request, (cause as Error).message);
  }
}

function rejectRequest({ method, url }: OutgoingRequest, text: string): never {
  // Without the query, which may already have a key.
  throw new ApiError({ code: "request", method, url: url.replace(/\?.*/, ""), text });
}
