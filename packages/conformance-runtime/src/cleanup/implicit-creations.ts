import { readAccountSnapshot, type AccountSnapshot } from "./account-snapshot.js";
import { toText, isJsonObject, isJsonArray } from "../values/json.js";
import type { CreationRecord } from "./journal.js";
import type { Identity, RunContext, StepContext } from "../run/step-context.js";
import type { Json, SideEffectInfo, OperationInfo } from "../suite.js";
import { deleteWithRetries } from "./delete-objects.js";

/**
 * Records the objects that a successful request named, and may have created. Skips what the account had before the run, and other accounts
 * than the worker's, whose earlier objects are unknown.
 */
export function recordImplicitCreations(
  operation: string,
  { sideEffects = [] }: OperationInfo,
  { body, by, stage }: { readonly body: Json; readonly by: Identity; readonly stage: StepContext },
): void {
  const { run, worker, log } = stage;
  if (by.account !== worker.main.account) return;
  for (const facts of sideEffects)
    for (const value of valuesAt(body, facts.pointer.split("/").slice(1))) {
      if (value === null || isJsonObject(value) || isJsonArray(value)) continue;
      const made = implicitCreation(operation, facts, { value, by });
      if (!isIn(worker.initialSnapshot, made, run)) run.createdObjects.add({ record: made, creator: by, worker, log });
    }
}

/**
 * Deletes the objects that the worker has named, that exist now and that did not exist before.
 *
 * @returns One message for each object that remains.
 */
export async function deleteImplicitCreations(stage: StepContext): Promise<readonly string[]> {
  const { run, worker } = stage;
  const named = run.createdObjects.implicit(worker);
  if (named.length === 0) return [];
  const now = await readAccountSnapshot(stage, new Set(named.map(({ record }) => record.resource)));
  const known = named.filter(
    ({ record }) => isListed(worker.initialSnapshot, record, run) && isListed(now, record, run),
  );
  const there = known.filter(({ record }) => isIn(now, record, run));
  for (const each of known) if (!there.includes(each)) run.createdObjects.remove(each.record);
  return deleteWithRetries(there, stage);
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

function valuesAt(value: Json, [part, ...rest]: readonly string[]): readonly Json[] {
  if (part === undefined) return [value];
  const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
  const isEach = part === "*" && (isJsonArray(value) || isJsonObject(value));
  if (isEach) return Object.values<Json>(value).flatMap((each) => valuesAt(each, rest));
  return isJsonObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key] ?? null, rest) : [];
}

function isIn(had: AccountSnapshot, made: CreationRecord, run: RunContext): boolean {
  return Object.values(made.path).some((name) => listsOf(had, made, run).some((ids) => ids.has(toText(name))));
}

function isListed(had: AccountSnapshot, made: CreationRecord, run: RunContext): boolean {
  return listsOf(had, made, run).length > 0;
}

function listsOf(
  had: AccountSnapshot,
  { resource }: CreationRecord,
  { suite }: RunContext,
): readonly ReadonlySet<string>[] {
  return [...had].flatMap(([list, ids]) => (suite.operations[list]?.lists === resource ? [ids] : []));
}
