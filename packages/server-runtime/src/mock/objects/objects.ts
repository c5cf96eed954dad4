import { isObject, ownField, safeAssign } from "../../http/index.js";
import { resourceOf, type MockContext } from "../mock-context.js";
import type { StoredObject, Values } from "../store/stored-object.js";
import { toJsonType } from "./json-types.js";

const objectsByView = new WeakMap<object, StoredObject>();
const viewsByObject = new WeakMap<StoredObject, Values>();

/** The object as responses and conditions see it: its values, and its children where the description embeds them. */
export function viewOf(mock: MockContext, object: StoredObject): Values {
  const { embedded, fields, identifier, shownTypes, initial } = resourceOf(mock, object.resource);
  const cached = embedded.length === 0 ? viewsByObject.get(object) : undefined;
  if (cached !== undefined) return cached;
  const view: Record<string, unknown> = { ...object.values };
  for (const [field, types] of Object.entries(shownTypes ?? {}))
    if (Object.hasOwn(view, field)) view[field] = toJsonType(view[field], types) ?? initial[field];
  for (const { field, resource } of embedded)
    safeAssign(
      view,
      field,
      childrenOf(mock, object, resource).map((child) => viewOf(mock, child)),
    );
  // The server compares objects by their ids. No response shows one that the schema does not have, or has for something else.
  if (!Object.hasOwn(view, "id") && !fields.includes("id"))
    Object.defineProperty(view, "id", { value: view[identifier.field], enumerable: false });
  objectsByView.set(view, object);
  if (embedded.length === 0) viewsByObject.set(object, view);
  return view;
}

/** The current version of the object behind a view. Undefined if it is gone. */
export function storedObject(mock: MockContext, view: unknown): StoredObject | undefined {
  return isObject(view) ? mock.store.get(objectsByView.get(view)?.key) : undefined;
}

/** The visible children of one resource. */
export function childrenOf(mock: MockContext, parent: StoredObject, resource: string): readonly StoredObject[] {
  return [...mock.store.all(resource)].filter((each) => each.parent === parent.key && isVisible(mock, each));
}

/** False for an object in a state that clients read as deleted, and for one whose retention has ended. */
export function isVisible(mock: MockContext, object: StoredObject): boolean {
  const { seconds } = resourceOf(mock, object.resource).retention ?? {};
  if (seconds !== undefined && object.createdAt + seconds * 1000 <= mock.clock.now()) return false;
  return mock.definition.stateMachines.every(
    ({ name, resource, hidden }) =>
      resource !== object.resource || hidden[object.states[name]?.state ?? ""] !== "$deleted",
  );
}

/** The visible objects whose field has a value. */
export function findObjects(
  mock: MockContext,
  resource: string,
  { by, value }: { readonly by: string; readonly value: unknown },
): readonly StoredObject[] {
  const { identifier } = resourceOf(mock, resource);
  const matches =
    by === identifier.field
      ? mock.store.identified(resource, value)
      : [...mock.store.all(resource)].filter(({ values }) => ownField(values, by) === value);
  return matches.filter((each) => isVisible(mock, each));
}

/** True if an object is below another one. */
export function isDescendant(mock: MockContext, object: StoredObject, ancestor: StoredObject): boolean {
  for (let parent = mock.store.get(object.parent); parent !== undefined; parent = mock.store.get(parent.parent))
    if (parent.key === ancestor.key) return true;
  return false;
}
