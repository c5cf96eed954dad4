import type { Identity } from "../http/identity.js";
import { readPages } from "../http/read-pages.js";
import type { RequestThrottle } from "../http/request-throttle.js";
import type { TargetServer } from "../http/target.js";
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
  for (const [name, { lists = "" }] of listsOf(target.operations)) {
    if (resources?.has(lists) === false) continue;
    const ids = await idsOf(name, { target, caller, throttle });
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

async function idsOf(
  operation: string,
  { target, caller, throttle }: SnapshotRequest,
): Promise<ReadonlySet<string> | undefined> {
  const pages = await readPages({ operation, caller }, { target, throttle });
  const lists = pages?.map(itemsOf);
  const items = lists?.flatMap((each) => each ?? []);
  return items === undefined || lists?.includes(undefined) ? undefined : new Set(items.map(idOf));
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
