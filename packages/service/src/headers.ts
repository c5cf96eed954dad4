import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from "node:http";

/**
 * Sends with every answer what the public API sends beside what is described: for caches, and for programs that run in browsers. It does so together
 * with the other headers: each header that is set before costs Node as much as finding the operation.
 */
export class AnswerWithHeaders<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const isReason = typeof reason === "string";
    const given = (isReason ? headers : reason) ?? {};
    // A list, which Node writes as it is; objects would be put together name by name.
    const all: OutgoingHttpHeader[] = [...usualFor(this.req)];
    if (Array.isArray(given)) all.push(...given);
    else for (const [name, value] of Object.entries(given)) if (value !== undefined) all.push(name, value);
    return isReason ? super.writeHead(status, reason, all) : super.writeHead(status, all);
  }
}

function usualFor({ method, url = "" }: IncomingMessage): readonly string[] {
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

/** What a browser asks before it sends a request of another page. */
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

/** Regions are the same to everybody, and seldom change. Seconds. */
const toRegions: readonly string[] = [...always, "Cache-Control", "max-age=900"];
