import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** What a request to the HTTP server has to prove. */
export interface RequestPolicy {
  /** Whether the server listens on this machine only. */
  readonly isLocal: boolean;
  /** The token that clients send as `Authorization: Bearer`. Undefined: none. */
  readonly accessToken: string | undefined;
}

/** A response that rejects a request. */
export interface RejectedRequest {
  readonly status: 401 | 403;
  readonly message: string;
}

/**
 * Rejects requests of web pages and of callers without the access token.
 *
 * A page can resolve its own name to 127.0.0.1 (DNS rebinding). The browser then still sends that name as `Host` and as `Origin`.
 */
export function checkRequest(
  headers: IncomingHttpHeaders,
  { isLocal, accessToken }: RequestPolicy,
): RejectedRequest | undefined {
  if (isLocal && !isLoopback(hostnameOf(`http://${headers.host ?? ""}`)))
    return { status: 403, message: "The header Host is not the name of this machine." };
  if (headers.origin !== undefined && !isLoopback(hostnameOf(headers.origin)))
    return { status: 403, message: "The header Origin is not a page of this machine." };
  if (accessToken !== undefined && !isEqual(headers.authorization ?? "", `Bearer ${accessToken}`))
    return { status: 401, message: "The access token is missing or not valid." };
  return undefined;
}

/** True for the names and addresses of this machine. */
export function isLoopback(hostname: string | undefined): boolean {
  return (
    hostname === "localhost" || hostname === "[::1]" || hostname === "::1" || /^127(\.\d{1,3}){3}$/.test(hostname ?? "")
  );
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Compares in constant time, whatever the lengths. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
