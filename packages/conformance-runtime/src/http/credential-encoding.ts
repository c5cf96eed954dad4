import type { CallerToken } from "../results.js";
import type { CredentialInfo } from "../suite.js";
import type { JsonObject } from "../values/json.js";
import type { SecretRegistry } from "./secrets.js";

/** The token or the Authorization header of a caller. */
export interface CredentialSource {
  readonly token?: CallerToken;
  readonly authorization?: string;
}

export interface EncodedCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: JsonObject;
}

/** Encodes a caller's token into headers and query parameters. A scheme for which the caller has no token is left out. */
export function encodeCredentials(
  { token, authorization }: CredentialSource = {},
  credentials: readonly CredentialInfo[] = [{ scheme: "", as: "bearer" }],
): EncodedCredentials {
  if (authorization !== undefined) return { headers: { authorization }, query: {} };
  const headers = Object.create(null) as Record<string, string>;
  const query = Object.create(null) as Record<string, string>;
  const cookies: string[] = [];
  for (const credential of credentials) {
    const secret = typeof token === "string" ? token : new Map(Object.entries(token ?? {})).get(credential.scheme);
    if (secret === undefined) continue;
    if (credential.as !== "apiKey")
      headers["authorization"] =
        credential.as === "basic" ? `Basic ${Buffer.from(secret, "utf8").toString("base64")}` : `Bearer ${secret}`;
    else if (credential.in === "header") headers[credential.name.toLowerCase()] = secret;
    else if (credential.in === "query") query[credential.name] = secret;
    else cookies.push(`${credential.name}=${secret}`);
  }
  if (cookies.length > 0) headers["cookie"] = cookies.join("; ");
  return { headers, query };
}

/** Registers a token so that reports replace it by `$TOKEN`, or by `$TOKEN_1`, `$TOKEN_2` with several schemes. */
export function registerToken(token: CallerToken | undefined, name: string, secrets: SecretRegistry): void {
  if (typeof token === "string") secrets.add(token, `$${name}`);
  else for (const [at, secret] of Object.values(token ?? {}).entries()) secrets.add(secret, `$${name}_${at + 1}`);
}
