import type { Json } from "../suite.js";
import { decodeResponse } from "./decode-response.js";
import type { Identity } from "./identity.js";
import { itemsOfPage, nextPage } from "./pages.js";
import type { RequestThrottle } from "./request-throttle.js";
import type { RequestParts } from "./request.js";
import { isSuccessStatus } from "./status.js";
import { callOperation, type TargetServer } from "./target.js";

/** A read outside of cases, and who sends it. */
export interface PagedRead extends Pick<RequestParts, "path" | "query"> {
  readonly operation: string;
  readonly caller: Identity;
}

export interface PageReader {
  readonly target: TargetServer;
  readonly throttle: RequestThrottle;
  /** Counts a request. */
  readonly onRequest?: () => void;
}

/** The bodies of all pages. Undefined if one of them has no success. */
export async function readPages(
  { operation, caller, path, query }: PagedRead,
  { target, throttle, onRequest }: PageReader,
): Promise<readonly Json[] | undefined> {
  const info = target.operations[operation];
  if (info === undefined) return undefined;
  const { pagination } = info;
  const bodies: Json[] = [];
  let page: Json | undefined = null;
  for (let number = 1; page !== undefined; number++) {
    const ofPage: RequestParts["query"] = page !== null && pagination !== undefined ? { [pagination.page]: page } : {};
    const markResponse = await throttle.acquire({ operation, info, by: caller, isDelayed: true });
    onRequest?.();
    const response = await callOperation(
      { info, url: target.url, caller, ...(path === undefined ? {} : { path }), query: { ...query, ...ofPage } },
      target,
    );
    markResponse();
    if (response === undefined || !isSuccessStatus(response.status)) return undefined;
    const decoded = decodeResponse(response);
    bodies.push(decoded.body);
    // An empty page with a number is the last one.
    const isEnd = pagination?.items !== undefined && itemsOfPage(decoded.body, pagination).length === 0;
    page = isEnd && pagination.next === undefined ? undefined : nextPage(decoded, pagination, number);
  }
  return bodies;
}
