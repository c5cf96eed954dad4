import { isArray, valueAt } from "../../http/index.js";
import { isConditionMet } from "../../server/index.js";
import { isEqual } from "../../validator/index.js";
import { resourceOf } from "../mock-context.js";
import type { MockEffect, MockValueSource } from "../mock-definition.js";
import { documentKey } from "../objects/documents.js";
import { evaluate, targetObject, type MockRequest } from "../objects/evaluation.js";
import { childrenOf, isDescendant } from "../objects/objects.js";
import { itemCount, valueOf, withValues } from "../objects/values.js";
import type { StoredObject, Values } from "../store/stored-object.js";
import { changeValues, removeObject } from "./changes.js";
import { createObject } from "./creation.js";
import { resolveObjects, selectObjects } from "./selection.js";

/** Runs the effects of an operation whose conditions hold. Returns their ids. */
export function runEffects(request: MockRequest, subject: StoredObject | undefined): readonly string[] {
  const applied = request.operation.effects.filter(({ when }) => when === undefined || isConditionMet(when, request));
  for (const effect of applied) runEffect(request, effect, subject);
  return applied.map(({ id }) => id);
}

/** Runs one effect, whatever its condition. */
export function runEffect(request: MockRequest, effect: MockEffect, subject?: StoredObject): void {
  effectKinds[effect.does](request, effect, subject);
}

type EffectKind = (request: MockRequest, effect: MockEffect, subject: StoredObject | undefined) => void;

const effectKinds: Readonly<Record<MockEffect["does"], EffectKind>> = {
  create: (request, effect, subject) => createAll(request, effect, subject),
  delete: (request, effect) => {
    if (effect.to.kind === "operation") forgetDocuments(request, effect.to.operation);
    for (const object of selectObjects(request, effect)) removeObject(request.mock, object);
  },
  replace: (request, effect) => {
    if (effect.to.kind === "operation") forgetDocuments(request, effect.to.operation);
    for (const object of selectObjects(request, effect)) replaceByNew(request, object);
  },
  set: (request, effect) => {
    for (const [index, object] of selectObjects(request, effect).entries())
      changeValues(request.mock, object, (values) => withValues(values, resolveValues(request, effect.values, index)));
  },
  add: (request, effect) => changeAmounts(request, effect, addTo),
  remove: (request, effect) => changeAmounts(request, effect, removeFrom),
  keep: () => undefined,
};

function createAll(request: MockRequest, effect: MockEffect, subject: StoredObject | undefined): void {
  const { mock } = request;
  if (effect.to.kind !== "resource") return;
  const { resource } = effect.to;
  // The effect states the values of the object that the operation creates.
  if (subject?.resource === resource && request.created.some(({ key }) => key === subject.key)) {
    const values = resolveValues(request, effect.values);
    return changeValues(mock, subject, (before) => withValues(before, values));
  }
  const event = { kind: "operation", operation: request.name } as const;
  const { caller } = request;
  for (const parent of parentsOf(request, effect, resource)) {
    const copies = copiedSiblings(request, effect, parent);
    const count = copies?.length ?? countOf(request, effect);
    for (let index = 0; index < count; index += 1) {
      const values = copies?.[index] ?? resolveValues(request, effect.values, index);
      createObject(mock, { resource, values, caller, parent, event, request });
    }
  }
}

/** The parents of created objects: one that is undefined for a resource without a parent. */
function parentsOf(request: MockRequest, { of }: MockEffect, resource: string): readonly (StoredObject | undefined)[] {
  const { mock } = request;
  const { parent } = resourceOf(mock, resource);
  if (parent === undefined) return [undefined];
  const target = targetObject(request);
  const ancestors = of === undefined ? (target === undefined ? [] : [target]) : resolveObjects(request, of);
  return ancestors.flatMap((ancestor) =>
    ancestor.resource === parent
      ? [ancestor]
      : [...mock.store.all(parent)].filter((each) => isDescendant(mock, each, ancestor)),
  );
}

/** Children that are created without values and a count are copies of those of the target. */
function copiedSiblings(
  request: MockRequest,
  { to, count, values }: MockEffect,
  parent: StoredObject | undefined,
): readonly Values[] | undefined {
  const target = targetObject(request);
  const isCopy = count === undefined && Object.keys(values).length === 0 && to.kind === "resource";
  if (!isCopy || target === undefined || parent === undefined || target.key === parent.key) return undefined;
  if (target.resource !== parent.resource) return undefined;
  const { identifier, generated } = resourceOf(request.mock, to.resource);
  const generatedFields = new Set([identifier.field, ...generated.map(({ pointer }) => pointer[0] ?? "")]);
  return childrenOf(request.mock, target, to.resource).map((child) =>
    Object.fromEntries(Object.entries(child.values).filter(([field]) => !generatedFields.has(field))),
  );
}

function countOf(request: MockRequest, { count, values }: MockEffect): number {
  if (typeof count === "number") return count;
  if (count === undefined) return itemCount(values, request) ?? 1;
  const [value] = evaluate(request, count);
  return typeof value === "number" ? value : 0;
}

function replaceByNew(request: MockRequest, object: StoredObject): void {
  const { mock, caller } = request;
  const { identifier, generated } = resourceOf(mock, object.resource);
  const generatedFields = new Set([identifier.field, ...generated.map(({ pointer }) => pointer[0] ?? "")]);
  const values = Object.fromEntries(Object.entries(object.values).filter(([field]) => !generatedFields.has(field)));
  const parent = mock.store.get(object.parent);
  removeObject(mock, object);
  const event = { kind: "operation", operation: request.name } as const;
  createObject(mock, { resource: object.resource, values, caller, parent, owner: object.owner, event, request });
}

function changeAmounts(
  request: MockRequest,
  effect: MockEffect,
  change: (before: unknown, amount: unknown) => unknown,
): void {
  const { mock } = request;
  for (const object of selectObjects(request, effect))
    changeValues(mock, object, (values) =>
      withValues(
        values,
        Object.fromEntries(
          Object.entries(resolveValues(request, effect.values)).map(
            ([field, amount]) => [field, change(valueAt(values, field.split(".")), amount)] as const,
          ),
        ),
      ),
    );
}

function addTo(before: unknown, amount: unknown): unknown {
  if (typeof before === "number" && typeof amount === "number") return before + amount;
  if (amount === undefined || !isArray(before)) return before;
  const added = isArray(amount) ? amount : [amount];
  return [...before, ...added.filter((each) => !before.some((other) => isEqual(other, each)))];
}

function removeFrom(before: unknown, amount: unknown): unknown {
  if (typeof before === "number" && typeof amount === "number") return before - amount;
  if (amount === undefined || !isArray(before)) return before;
  const removed = isArray(amount) ? amount : [amount];
  return before.filter((each) => !removed.some((other) => isEqual(other, each)));
}

function resolveValues(
  request: MockRequest,
  sources: Readonly<Record<string, MockValueSource>>,
  index?: number,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(sources).flatMap(([field, source]) => {
      const value = valueOf(source, request, index);
      return value === undefined ? [] : [[field, value] as const];
    }),
  );
}

/** What an operation reads is composed again at the next request. */
function forgetDocuments(request: MockRequest, operation: string): void {
  const { store, definition } = request.mock;
  const document = definition.operations[operation]?.document ?? operation;
  store.setDocument(documentKey(document, targetObject(request), request.caller), undefined);
}
