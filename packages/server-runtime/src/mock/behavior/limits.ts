import { ownField } from "../../http/index.js";
import type { Caller } from "../../server/index.js";
import { isEqual } from "../../validator/index.js";
import { isSameIdentifier, resourceOf, type MockContext, type RunningOperation } from "../mock-context.js";
import type { MockUniqueLimit } from "../mock-definition.js";
import { evaluate, type MockRequest } from "../objects/evaluation.js";
import { isVisible, storedObject } from "../objects/objects.js";
import { ownerOf } from "../objects/owners.js";
import type { StoredObject, StoredState, Values } from "../store/stored-object.js";
import { resolveObjects } from "./selection.js";

/** Counts the operation for its concurrency limits, as long as its object is in a transient state. */
export function startOperation(request: MockRequest): void {
  const { mock, operation } = request;
  for (const { id, per, settled } of operation.concurrency) {
    const [key] = per === undefined ? [request.caller?.user] : evaluate(request, per);
    const { resource } = operation;
    const objects =
      settled === undefined || resource === undefined
        ? request.created
        : resolveObjects(request, { expression: settled, resource });
    for (const { key: object } of objects) {
      const states = mock.store.get(object)?.states ?? {};
      mock.running.push({ limit: id, per: key, object, states });
    }
  }
}

/** The operations in progress for a limit and a key. */
export function operationsInProgress(mock: MockContext, limit: string, per: unknown): readonly StoredObject[] {
  const isRunning = (each: RunningOperation): StoredObject | undefined => {
    const object = mock.store.get(each.object);
    return object !== undefined && isInProgress(each, object) ? object : undefined;
  };
  const ended = mock.running.filter((each) => isRunning(each) === undefined);
  for (const each of ended) mock.running.splice(mock.running.indexOf(each), 1);
  return mock.running.flatMap((each) =>
    each.limit === limit && isSameIdentifier(each.per, per) ? (isRunning(each) ?? []) : [],
  );
}

/** An object is in progress while one of its states is transient; without transient states, until an operation moves it. */
function isInProgress({ states }: RunningOperation, now: StoredObject): boolean {
  const isTransient = ({ dueAt }: StoredState): boolean => dueAt !== undefined;
  if (Object.values(states).some(isTransient)) return Object.values(now.states).some(isTransient);
  return Object.entries(states).some(([name, { enteredAt, state }]) => {
    const current = now.states[name];
    return current?.state === state && current.enteredAt === enteredAt;
  });
}

/** The operations in progress that an object waits for, and when the last of them ends. */
export function countRunning(
  mock: MockContext,
  limit: string,
  object: StoredObject,
): { readonly count: number; readonly lastDueAt: number | undefined } {
  const per = ownField(object.values, resourceOf(mock, object.resource).identifier.field);
  const running = operationsInProgress(mock, limit, per).filter(({ key }) => key !== object.key);
  const due = running.flatMap(({ states }) => Object.values(states).flatMap(({ dueAt }) => dueAt ?? []));
  return { count: running.length, lastDueAt: due.length === 0 ? undefined : Math.max(...due) };
}

/** Whether another object has the values of a unique key. */
export function isTaken(
  mock: MockContext,
  limit: MockUniqueLimit,
  {
    values,
    caller,
    except,
    parent,
  }: {
    readonly values: Values;
    readonly caller: Caller | undefined;
    readonly except: unknown;
    /** The object within which the values are unique, for a limit within the parent. */
    readonly parent: unknown;
  },
): boolean {
  const changedObject = storedObject(mock, except);
  const container = storedObject(mock, parent);
  const owner = ownerOf(resourceOf(mock, limit.resource), caller);
  for (const each of mock.store.all(limit.resource)) {
    if (each.key === changedObject?.key || !isVisible(mock, each)) continue;
    if (limit.within === "parent" && container !== undefined && each.parent !== container.key) continue;
    if (limit.within !== "parent" && limit.within !== "platform" && each.owner[limit.within] !== owner[limit.within])
      continue;
    if (limit.by.every((field) => isEqual(ownField(each.values, field), ownField(values, field)))) return true;
  }
  return false;
}
