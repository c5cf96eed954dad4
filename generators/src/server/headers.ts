import type { Header, Reply } from "../model/api.js";

/** Headers of replies that the server sets itself, in lower case: what it knows of limits, scopes and the request. */
export const serverHeaders: ReadonlySet<string> = new Set([
  "x-oauth-scopes",
  "x-accepted-oauth-scopes",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
  "retry-after",
]);

/** The described headers of a reply that its handler gives. */
export function handlerHeaders({ headers }: Reply): readonly Header[] {
  return headers.filter((header) => !serverHeaders.has(header.name.toLowerCase()));
}
