import type { ExchangeLog } from "../http/exchange-log.js";
import type { Identity } from "../http/identity.js";
import type { Json, OperationInfo } from "../suite.js";
import { resolvePointer } from "../values/json-pointer.js";
import { toText, isJsonObject, type JsonObject } from "../values/json.js";
import type { WorkerAccount } from "./account-snapshot.js";
import { objectKey, type RunJournal, type CreationRecord } from "./journal.js";

/** An object that the run has created and not deleted. */
export interface CreatedObject {
  readonly record: CreationRecord;
  readonly creator: Identity;
  readonly worker: WorkerAccount;
  /** The log of the case, or of the shared object, for which it was created. */
  readonly log: ExchangeLog;
}

/** The objects that the run has created, in memory and in the journal. */
export interface CreatedObjects {
  add(object: CreatedObject): void;
  /** @returns True when it was registered. */
  remove(record: Pick<CreationRecord, "deletedBy" | "path" | "account">): boolean;
  /** Newest first, without objects that a request only named. */
  ownedBy(whose: ExchangeLog | WorkerAccount): readonly CreatedObject[];
  /** Objects that requests of the worker have named, and may have created. */
  implicit(worker: WorkerAccount): readonly CreatedObject[];
}

export function createObjectRegistry(journal: RunJournal): CreatedObjects {
  const objects = new Map<string, CreatedObject>();
  // Every case reads its own objects. A search of all objects would take longer than the requests of the case.
  const byTrail = new WeakMap<ExchangeLog, Map<string, CreatedObject>>();
  return {
    add(each) {
      const key = keyOf(each.record);
      // An explicitly created object stays with its case, also when a later request names it.
      if (each.record.isImplicit === true && objects.has(key)) return;
      forget(key);
      objects.set(key, each);
      const ofLog = byTrail.get(each.log) ?? new Map<string, CreatedObject>();
      byTrail.set(each.log, ofLog.set(key, each));
      journal.recordCreation(each.record);
    },
    remove(record) {
      const isRecorded = forget(keyOf(record));
      if (isRecorded) journal.recordDeletion(record);
      return isRecorded;
    },
    ownedBy: (whose) => {
      const all = "entries" in whose ? byTrail.get(whose) : objects;
      const owned = [...(all?.values() ?? [])].filter((each) => each.worker === whose || each.log === whose);
      return owned.filter(({ record }) => record.isImplicit !== true).toReversed();
    },
    implicit: (worker) =>
      [...objects.values()].filter((each) => each.record.isImplicit === true && each.worker === worker),
  };

  function forget(key: string): boolean {
    const object = objects.get(key);
    if (object === undefined) return false;
    byTrail.get(object.log)?.delete(key);
    return objects.delete(key);
  }
}

/** The object that a successful call has created. Undefined when no operation deletes it, or the response does not name it. */
export function creationOf(
  operation: string,
  facts: OperationInfo,
  exchange: { readonly request: JsonObject; readonly body: Json; readonly by: Identity },
): CreationRecord | undefined {
  const remove = facts.creates?.deletedBy;
  if (facts.creates === undefined || remove === undefined) return undefined;
  const path = Object.create(null) as Record<string, Json>;
  for (const [name, from] of Object.entries(remove.path)) {
    const value =
      "response" in from
        ? resolvePointer(exchange.body, from.response.replace(/^#/, ""))
        : exchange.request[from.request];
    if (value === undefined || value === null || isJsonObject(value)) return undefined;
    path[name] = value;
  }
  return {
    operation,
    resource: facts.creates.resource,
    deletedBy: remove.call,
    path,
    account: exchange.by.account,
    username: exchange.by.username,
  };
}

export function describeObject(record: CreationRecord): string {
  return `${record.resource} ${Object.values(record.path).map(toText).join("/")}`;
}

function keyOf(record: Pick<CreationRecord, "deletedBy" | "path" | "account">): string {
  return `${record.account ?? ""} ${objectKey(record)}`;
}
