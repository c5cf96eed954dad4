import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from "node:http";

/**
 * Adds the headers of the public API that the description does not list: for caches, and for programs in browsers. It sets them together with the
 * other headers: each header that is set before costs Node as much as finding the operation.
 */
export class ResponseWithHeaders<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const isReason = typeof reason === "string";
    const fields = (isReason ? headers : reason) ?? {};
    // Node writes a list unchanged. An object it would assemble name by name.
    const all: OutgoingHttpHeader[] = [...defaultHeadersFor(this.req)];
    if (Array.isArray(fields)) all.push(...fields);
    else for (const [name, value] of Object.entries(fields)) if (value !== undefined) all.push(name, value);
    return isReason ? super.writeHead(status, reason, all) : super.writeHead(status, all);
  }
}

function defaultHeadersFor({ method, url = "" }: IncomingMessage): readonly string[] {
  if (method === "OPTIONS") return toPreflight;
  if (method !== "GET" && method !== "HEAD") return always;
  return /^\/v4(?:beta)?\/regions\b/.test(url) ? toRegions : toRead;
}

const always: readonly string[] = [
  "Vary",
  "Authorization, X-Filter",
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Expose-Headers",
  "X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Status, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id",
  "X-Content-Type-Options",
  "nosniff",
  "X-Frame-Options",
  "DENY",
  "Content-Security-Policy",
  "default-src 'none'",
];

/** The response headers for a browser's preflight request. */
const toPreflight: readonly string[] = [
  ...always,
  "Access-Control-Allow-Methods",
  "HEAD, GET, OPTIONS, POST, PUT, DELETE",
  "Access-Control-Allow-Headers",
  "Authorization, Origin, X-Requested-With, Content-Type, Accept, X-Filter",
  "Access-Control-Max-Age",
  "600",
];

const toRead: readonly string[] = [...always, "Cache-Control", "private, max-age=0, s-maxage=0, no-cache, no-store"];

/** Regions are equal for all callers and seldom change. Seconds. */
const toRegions: readonly string[] = [...always, "Cache-Control", "max-age=900"];
