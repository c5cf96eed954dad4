import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers a request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** What the public API sends with every answer beside what is described: for caches, and for programs that run in browsers. */
export function withHeaders(answer: Listener): Listener {
  return (request, response) => {
    for (const [name, value] of always) response.setHeader(name, value);
    const { method, url = "" } = request;
    if (method === "OPTIONS") for (const [name, value] of preflight) response.setHeader(name, value);
    if (method === "GET" || method === "HEAD")
      response.setHeader("Cache-Control", /^\/v4(?:beta)?\/regions\b/.test(url) ? forAll : forOne);
    answer(request, response);
  };
}

const always = [
  ["Vary", "Authorization, X-Filter"],
  ["Access-Control-Allow-Origin", "*"],
  [
    "Access-Control-Expose-Headers",
    "X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Status, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id",
  ],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Content-Security-Policy", "default-src 'none'"],
] as const;

/** What a browser asks before it sends a request of another page. */
const preflight = [
  ["Access-Control-Allow-Methods", "HEAD, GET, OPTIONS, POST, PUT, DELETE"],
  ["Access-Control-Allow-Headers", "Authorization, Origin, X-Requested-With, Content-Type, Accept, X-Filter"],
  ["Access-Control-Max-Age", "600"],
] as const;

const forOne = "private, max-age=0, s-maxage=0, no-cache, no-store";

/** Regions are the same to everybody, and seldom change. Seconds. */
const forAll = "max-age=900";
