import type { Json, PaginationInfo } from "../suite.js";
import { isJsonObject } from "../values/json.js";

/** Bounds the reads from a server that always reports another page. */
const maxPages = 200;

/** Returns the number of pages that a body reports, at most 200; 1 for a body that reports none. */
export function pageCount(body: Json, pagination: PaginationInfo | undefined): number {
  const pages = pagination !== undefined && isJsonObject(body) ? body[pagination.pages] : undefined;
  return typeof pages === "number" ? Math.min(pages, maxPages) : 1;
}
