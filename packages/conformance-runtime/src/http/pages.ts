import type { Json, PaginationInfo } from "../suite.js";
import { resolvePointer } from "../values/json-pointer.js";
import { isJsonArray, isJsonObject } from "../values/json.js";
import type { DecodedResponse } from "./decode-response.js";

/** Bounds the reads from a server that always reports another page. */
const maxPages = 200;

/** Returns the value of the parameter for the page after the response of a page, or `undefined` after the last of at most 200 pages. */
export function nextPage(
  { headers, body }: Pick<DecodedResponse, "headers" | "body">,
  pagination: PaginationInfo | undefined,
  number: number,
): Json | undefined {
  if (pagination === undefined || number >= maxPages) return undefined;
  const { next, pages = "" } = pagination;
  if (next !== undefined) {
    const cursor = resolvePointer({ headers, body }, next);
    return cursor === null || cursor === "" ? undefined : cursor;
  }
  const count = isJsonObject(body) ? body[pages] : undefined;
  return typeof count === "number" && number < count ? number + 1 : undefined;
}

/** Returns the items of a page. */
export function itemsOfPage(body: Json, { items }: PaginationInfo): readonly Json[] {
  const list = items === undefined || !isJsonObject(body) ? body : body[items];
  return isJsonArray(list) ? list : [];
}
