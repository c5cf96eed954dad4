import type { Secret } from "../client.js";
import type { Fetch } from "../operation.js";
import { withResponseLimit } from "../response/response-limit.js";
import { OAuth2Error } from "./oauth2-error.js";

/** How a client requests tokens. */
export interface TokenEndpoint {
  /** The address of the token endpoint. Its scheme is https, except on this machine. */
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Absent for a public client, which only sends its id. */
  readonly clientSecret?: Secret | undefined;
  /**
   * Where the id and the secret are sent: in the header `Authorization` or in the body.
   *
   * @defaultValue "basic"
   */
  readonly authentication?: "basic" | "body" | undefined;
  /** Further parameters, such as `audience` or `resource`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /**
   * Milliseconds for one request.
   *
   * @defaultValue 30000
   */
  readonly timeout?: number | undefined;
  /**
   * Sends the requests.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: Fetch | undefined;
}

/** The parts of a successful response that matter here (RFC 6749, section 5.1). */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds. */
  readonly expiresIn: number | undefined;
}

/** Throws for an address that would send secrets without encryption. */
export function checkTokenUrl(tokenUrl: string): string {
  const url = URL.canParse(tokenUrl) ? new URL(tokenUrl) : undefined;
  const isLocal = url !== undefined && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol !== "https:" && !(isLocal && url.protocol === "http:"))
    throw new TypeError("tokenUrl must be an absolute https URL, or an http URL of this machine");
  if (url.username !== "" || url.password !== "" || url.hash !== "")
    throw new TypeError("tokenUrl must not have a user name, a password or a fragment");
  return url.href;
}

/**
 * Sends one request to a token endpoint.
 *
 * @throws OAuth2Error
 */
export async function requestTokens(
  endpoint: TokenEndpoint,
  grant: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const { tokenUrl, parameters, timeout = 30_000, fetch: send = (url, init) => fetch(url, init) } = endpoint;
  const url = tokenUrl.replace(/\?.*/, "");
  const headers = new Headers({ accept: "application/json", "content-type": "application/x-www-form-urlencoded" });
  const body = new URLSearchParams({ ...parameters, ...grant });
  await authenticate(endpoint, { headers, body });
  const limited = withResponseLimit({ maxBytes: maxResponseBytes, fetch: send });
  let response: Response;
  let text: string;
  try {
    response = await limited(tokenUrl, {
      method: "POST",
      headers,
      body: body.toString(),
      // Another address must not receive the secret.
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    text = await response.text();
  } catch (cause) {
    const isLate = (cause as { readonly name?: unknown } | undefined)?.name === "TimeoutError";
    throw new OAuth2Error({ code: "network", url, text: isLate ? "no response in time" : "no response", cause });
  }
  const { status, ok } = response;
  const answer = parseObject(text);
  if (!ok) {
    const error = textOf(answer["error"]);
    const description = textOf(answer["error_description"]);
    const reasons = [error ?? response.statusText, description === undefined ? "" : `(${description})`];
    throw new OAuth2Error({ code: "http", url, status, error, text: reasons.filter(Boolean).join(" ") });
  }
  const accessToken = textOf(answer["access_token"]);
  const isBearer = textOf(answer["token_type"])?.toLowerCase() === "bearer";
  if (accessToken === undefined || !/^[!-~]+$/.test(accessToken) || !isBearer)
    throw new OAuth2Error({ code: "response", url, status, text: "the response has no bearer token" });
  const expiresIn = Number(answer["expires_in"] ?? Number.NaN);
  return {
    accessToken,
    refreshToken: textOf(answer["refresh_token"]),
    expiresIn: Number.isFinite(expiresIn) ? expiresIn : undefined,
  };
}

/** No token response is larger. */
const maxResponseBytes = 1_000_000;

/** RFC 6749, section 2.3.1. */
async function authenticate(
  { clientId, clientSecret, authentication = "basic" }: TokenEndpoint,
  { headers, body }: { readonly headers: Headers; readonly body: URLSearchParams },
): Promise<void> {
  const secret = typeof clientSecret === "function" ? await clientSecret() : clientSecret;
  if (secret !== undefined && authentication === "basic") {
    headers.set("authorization", `Basic ${btoa(`${formEncode(clientId)}:${formEncode(secret)}`)}`);
    return;
  }
  body.set("client_id", clientId);
  if (secret !== undefined) body.set("client_secret", secret);
}

function formEncode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
