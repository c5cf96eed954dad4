import type { Identity } from "../http/identity.js";
import type { Json, OperationInfo, SideEffectInfo, Suite } from "../suite.js";
import { resolvePointerPattern } from "../values/json-pointer.js";
import { isJsonArray, isJsonObject, toText } from "../values/json.js";
import { listsOfResource, type AccountSnapshot } from "./account-snapshot.js";
import type { CleanupContext } from "./cleanup-context.js";
import { deleteWithRetries } from "./delete-objects.js";
import type { CreationRecord } from "./journal.js";
import { readAccountSnapshot } from "./read-account-snapshot.js";

/** A successful request, and where to record what it has created. */
export interface ImplicitCreationContext extends Pick<CleanupContext, "target" | "createdObjects" | "worker" | "log"> {
  readonly body: Json;
  readonly by: Identity;
}

/**
 * Records the objects that a successful request named, and may have created. Skips what the account had before the run, and other accounts
 * than the worker's, whose earlier objects are unknown.
 */
export function recordImplicitCreations(
  operation: string,
  { sideEffects = [] }: OperationInfo,
  { target: { operations }, createdObjects, worker, log, body, by }: ImplicitCreationContext,
): void {
  if (by.account !== worker.main.account) return;
  for (const info of sideEffects)
    for (const value of resolvePointerPattern(body, info.pointer)) {
      if (value === null || isJsonObject(value) || isJsonArray(value)) continue;
      const record = implicitCreation(operation, info, { value, by });
      if (!isIn(worker.initialSnapshot, record, operations)) createdObjects.add({ record, creator: by, worker, log });
    }
}

/**
 * Deletes the objects that the worker has named, that exist now and that did not exist before.
 *
 * @returns One message for each object that remains.
 */
export async function deleteImplicitCreations(context: CleanupContext): Promise<readonly string[]> {
  const { target, throttle, createdObjects, worker } = context;
  const { operations } = target;
  const creations = createdObjects.implicit(worker);
  if (creations.length === 0) return [];
  const resources = new Set(creations.map(({ record }) => record.resource));
  const now = await readAccountSnapshot({ target, caller: worker.main, throttle, resources });
  const known = creations.filter(
    ({ record }) => isListed(worker.initialSnapshot, record, operations) && isListed(now, record, operations),
  );
  const there = known.filter(({ record }) => isIn(now, record, operations));
  for (const each of known) if (!there.includes(each)) createdObjects.remove(each.record);
  return deleteWithRetries(there, context);
}

/** True for an object that this run has created: its name begins with the run's tag, which is unique. */
export function hasRunTag({ path }: Pick<CreationRecord, "path">, tag: string): boolean {
  return Object.values(path).some((value) => toText(value).startsWith(tag));
}

function implicitCreation(
  operation: string,
  { resource, deletedBy }: SideEffectInfo,
  { value, by }: { readonly value: Json; readonly by: Identity },
): CreationRecord {
  return {
    operation,
    resource,
    deletedBy: deletedBy.call,
    path: { [deletedBy.parameter]: value },
    account: by.account,
    username: by.username,
    isImplicit: true,
  };
}

function isIn(snapshot: AccountSnapshot, record: CreationRecord, operations: Suite["operations"]): boolean {
  const lists = listsOfResource(snapshot, record.resource, operations);
  return Object.values(record.path).some((name) => lists.some((ids) => ids.has(toText(name))));
}

function isListed(snapshot: AccountSnapshot, { resource }: CreationRecord, operations: Suite["operations"]): boolean {
  return listsOfResource(snapshot, resource, operations).length > 0;
}
