import { isArray, isObject, ownField } from "../../http/index.js";
import { mergeChange } from "../../server/index.js";
import { isEqual } from "../../validator/index.js";
import { isSameIdentifier, resourceOf, type MockContext } from "../mock-context.js";
import type { FieldReference } from "../mock-definition.js";
import type { MockRequest } from "../objects/evaluation.js";
import { accountOf } from "../objects/owners.js";
import { completeNested, copyOf, withValueAt } from "../objects/values.js";
import { formatTime } from "../store/mock-clock.js";
import type { StoredObject, Values } from "../store/stored-object.js";

/** Replaces parts of an object. Returns the new version. */
export function replaceObject(
  mock: MockContext,
  object: StoredObject,
  changes: Partial<Pick<StoredObject, "values" | "states">>,
): void {
  const changed = { ...object, ...changes };
  mock.store.put(changed);
  mock.jobs.schedule(changed);
}

/** Changes values of the current version of an object, and the time of its last change. */
export function changeValues(mock: MockContext, { key }: StoredObject, change: (values: Values) => Values): void {
  const object = mock.store.get(key);
  if (object === undefined) return;
  const values = change(object.values);
  if (isEqual(values, object.values)) return;
  const { generated } = resourceOf(mock, object.resource);
  const now = mock.clock.now();
  const updated = generated.filter(({ value }) => value === "updated");
  replaceObject(mock, object, {
    values: updated.reduce(
      (before, { pointer, isDate }) =>
        withValueAt(before, pointer, isDate ? formatTime(now).slice(0, 10) : formatTime(now)),
      values,
    ),
  });
}

/** Applies the body of an update to an object. */
export function updateObject(request: MockRequest, object: StoredObject): void {
  const { mock, operation, body } = request;
  if (!isObject(body)) return;
  const { initial, fields, nested, identifier } = resourceOf(mock, object.resource);
  // The server compares identifiers in paths and bodies, if it looks up the object.
  const identity = operation.isLookedUp ? undefined : ownField(object.values, identifier.field);
  const merged = (values: Values): Values => {
    if (operation.absent === "keep") return completeNested(mergeChange(values, body) as Values, nested);
    // Fields that the body has no place for stay, such as those that only the platform sets.
    const rest = Object.entries(values).filter(
      ([field]) => fields.includes(field) && !operation.bodyFields.includes(field),
    );
    const cleared = Object.entries(initial).filter(([field]) => operation.bodyFields.includes(field));
    return completeNested(mergeChange(copyOf(Object.fromEntries([...cleared, ...rest])), body) as Values, nested);
  };
  changeValues(mock, object, (values) => {
    const changed = merged(values);
    return identity === undefined ? changed : withValueAt(changed, [identifier.field], identity);
  });
}

/** Removes an object with its children, and what refers to it. */
export function removeObject(mock: MockContext, object: StoredObject): void {
  if (mock.store.get(object.key) === undefined) return;
  mock.store.remove(object);
  for (const [name, { parent }] of Object.entries(mock.definition.resources)) {
    if (parent === object.resource)
      for (const child of mock.store.all(name)) if (child.parent === object.key) removeObject(mock, child);
  }
  clearReferences(mock, object);
}

/** Clears the fields that refer to a removed object, where the description says so. */
function clearReferences(mock: MockContext, removed: StoredObject): void {
  for (const [name, { references }] of Object.entries(mock.definition.resources)) {
    const nullable = references.filter(({ to, onDelete }) => to === removed.resource && onDelete === "set-null");
    if (nullable.length === 0) continue;
    for (const object of mock.store.all(name)) {
      // Names that are unique within an account refer to objects of the same account.
      const account = accountOf(mock.definition, removed);
      if (account !== undefined && accountOf(mock.definition, object) !== account) continue;
      const values = nullable.reduce(
        (before, reference) => withoutReference(before, reference, removed),
        object.values,
      );
      if (values !== object.values) replaceObject(mock, object, { values });
    }
  }
}

function withoutReference(values: Values, { pointer, by }: FieldReference, removed: StoredObject): Values {
  return withoutValue(values, pointer, ownField(removed.values, by)) as Values;
}

/** Replaces a value by null, or removes it from a list. */
function withoutValue(holder: unknown, pointer: readonly string[], value: unknown): unknown {
  if (isArray(holder)) {
    const items = holder.map((item) => withoutValue(item, pointer, value));
    if (items.every((item, index) => item === holder[index])) return holder;
    return pointer.length === 0 ? items.filter((item) => item !== null) : items;
  }
  const [token, ...rest] = pointer;
  if (token === undefined) return isSameIdentifier(holder, value) ? null : holder;
  if (!isObject(holder) || !Object.hasOwn(holder, token)) return holder;
  const inner = withoutValue(holder[token], rest, value);
  return inner === holder[token] ? holder : withValueAt(holder, [token], inner);
}
