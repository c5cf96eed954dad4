import { decodeResponse, type DecodedResponse } from "../http/decode-response.js";
import type { Identity } from "../http/identity.js";
import { nextPage } from "../http/pages.js";
import type { RequestThrottle } from "../http/request-throttle.js";
import { isSuccessStatus } from "../http/status.js";
import { callOperation, type TargetServer } from "../http/target.js";
import type { Json, OperationInfo, Suite } from "../suite.js";
import { isJsonArray, isJsonObject, toText } from "../values/json.js";
import type { AccountSnapshot } from "./account-snapshot.js";

export interface SnapshotRequest {
  readonly target: TargetServer;
  readonly caller: Identity;
  readonly throttle: RequestThrottle;
  /** Default: all resources that a run can create and delete. */
  readonly resources?: ReadonlySet<string>;
}

/** Reads the lists of the caller's account. Skips a list that responds with an error. */
export async function readAccountSnapshot({
  target,
  caller,
  throttle,
  resources,
}: SnapshotRequest): Promise<AccountSnapshot> {
  const snapshot = new Map<string, ReadonlySet<string>>();
  for (const [name, info] of listsOf(target.operations)) {
    if (resources?.has(info.lists ?? "") === false) continue;
    const ids = await idsOf([name, info], { target, caller, throttle });
    if (ids !== undefined) snapshot.set(name, ids);
  }
  return snapshot;
}

/** The name of an operation, and the operation. */
type ListOperation = readonly [string, OperationInfo];

/** Lists of resources that no operation deletes, such as events, are left out: every run adds to them. */
function listsOf(operations: Suite["operations"]): readonly ListOperation[] {
  const removable = new Set(
    Object.values(operations).flatMap(({ creates, sideEffects = [] }) => [
      ...(creates?.deletedBy === undefined ? [] : [creates.resource]),
      ...sideEffects.map(({ resource }) => resource),
    ]),
  );
  return Object.entries(operations).filter(
    ([, { lists, path }]) => lists !== undefined && removable.has(lists) && !path.includes("{"),
  );
}

async function idsOf(list: ListOperation, request: SnapshotRequest): Promise<ReadonlySet<string> | undefined> {
  const ids = new Set<string>();
  const { pagination } = list[1];
  let page: Json | undefined = null;
  for (let number = 1; page !== undefined; number++) {
    const response: DecodedResponse | undefined = await requestPage(list, page, request);
    const items = itemsOf(response?.body ?? null);
    if (response === undefined || items === undefined) return undefined;
    for (const each of items) ids.add(idOf(each));
    // An empty page with a number is the last one.
    page = items.length === 0 && pagination?.next === undefined ? undefined : nextPage(response, pagination, number);
  }
  return ids;
}

async function requestPage(
  [operation, info]: ListOperation,
  page: Json,
  { target, caller, throttle }: SnapshotRequest,
): Promise<DecodedResponse | undefined> {
  const query = page !== null && info.pagination !== undefined ? { [info.pagination.page]: page } : {};
  const markResponse = await throttle.acquire({ operation, info, by: caller, isDelayed: true });
  const response = await callOperation({ info, url: target.url, caller, query }, target);
  markResponse();
  return response !== undefined && isSuccessStatus(response.status) ? decodeResponse(response) : undefined;
}

/** The body itself if it is an array, else its first array. */
function itemsOf(body: Json): readonly Json[] | undefined {
  if (isJsonArray(body)) return body;
  return isJsonObject(body) ? Object.values(body).find(isJsonArray) : undefined;
}

function idOf(item: Json): string {
  if (!isJsonObject(item)) return toText(item);
  const id = item["id"] ?? item["label"] ?? item["name"];
  return toText(id ?? item);
}
