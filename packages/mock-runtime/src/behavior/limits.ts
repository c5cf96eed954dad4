import { ownField } from "@plumbline/http-runtime";
import { isEqual } from "@plumbline/validator-runtime";
import type { Caller } from "@plumbline/server-runtime";
import { isSameIdentifier, resourceOf, type MockContext } from "../mock-context.js";
import type { MockUniqueLimit } from "../mock-definition.js";
import type { StoredObject, Values } from "../store/stored-object.js";
import { ownerOf } from "../access/owners.js";
import { evaluate, type MockRequest } from "./evaluation.js";
import { isVisible, storedObject } from "./objects.js";
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
    for (const object of objects) mock.running.push({ limit: id, per: key, object: object.key });
  }
}

/** The operations in progress for a limit and a key. */
export function operationsInProgress(mock: MockContext, limit: string, per: unknown): readonly StoredObject[] {
  const isRunning = (key: number): StoredObject | undefined => {
    const object = mock.store.get(key);
    return object !== undefined && Object.values(object.states).some(({ dueAt }) => dueAt !== undefined)
      ? object
      : undefined;
  };
  const ended = mock.running.filter(({ object }) => isRunning(object) === undefined);
  for (const each of ended) mock.running.splice(mock.running.indexOf(each), 1);
  return mock.running.flatMap((each) =>
    each.limit === limit && isSameIdentifier(each.per, per) ? (isRunning(each.object) ?? []) : [],
  );
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
  }: { readonly values: Values; readonly caller: Caller | undefined; readonly except: unknown },
): boolean {
  const own = storedObject(mock, except);
  const owner = ownerOf(resourceOf(mock, limit.resource), caller);
  for (const each of mock.store.all(limit.resource)) {
    if (each.key === own?.key || !isVisible(mock, each)) continue;
    if (limit.within === "account" && each.owner.account !== owner.account) continue;
    if (limit.within === "user" && each.owner.user !== owner.user) continue;
    if (limit.within === "parent" && own !== undefined && each.parent !== own.parent) continue;
    if (limit.by.every((field) => isEqual(ownField(each.values, field), ownField(values, field)))) return true;
  }
  return false;
}
