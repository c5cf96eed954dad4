import { isObject, ownField, type InputGroups } from "../../http/index.js";
import { NotFoundError, type Caller } from "../../server/index.js";
import { resourceOf, type MockContext } from "../mock-context.js";
import type { MockOperation } from "../mock-definition.js";
import { findObjects } from "../objects/objects.js";
import type { StoredObject } from "../store/stored-object.js";
import { createObject } from "./creation.js";

/**
 * The object that the path names, if the server does not look it up. An operation that creates what is missing, or finds anything, creates it.
 *
 * @throws NotFoundError if there is none
 */
export function lookUpPath(
  mock: MockContext,
  { pathReferences, createsMissing }: MockOperation,
  { input, caller }: { readonly input: InputGroups; readonly caller: Caller | undefined },
): StoredObject | undefined {
  let parent: StoredObject | undefined;
  const path = isObject(input["path"]) ? input["path"] : {};
  for (const [index, { parameter, resource, by, findsAnything }] of pathReferences.entries()) {
    const value = ownField(path, parameter);
    const isLast = index === pathReferences.length - 1;
    const object =
      namedObject(mock, resource, { by, value, parent }) ??
      ((isLast && createsMissing === true) || findsAnything === true
        ? createObject(mock, { resource, values: { [by]: value }, caller, parent: parentFor(mock, resource, parent) })
        : undefined);
    if (object === undefined) throw new NotFoundError();
    parent = object;
  }
  return parent;
}

/**
 * The object whose identifier the body has, for `PUT /pets`.
 *
 * @throws NotFoundError if there is none
 */
export function lookUpBody(mock: MockContext, { resource = "" }: MockOperation, body: unknown): StoredObject {
  const object = statedObject(mock, resource, body);
  if (object === undefined) throw new NotFoundError();
  return object;
}

/** The object with the identifier that a body states, outside of any parent. */
export function statedObject(mock: MockContext, resource: string, body: unknown): StoredObject | undefined {
  const { field } = resourceOf(mock, resource).identifier;
  const value = isObject(body) ? ownField(body, field) : undefined;
  return value === undefined ? undefined : namedObject(mock, resource, { by: field, value, parent: undefined });
}

/** The object with a value, in its parent. A parameter may be a text where the field is a number. */
function namedObject(
  mock: MockContext,
  resource: string,
  { by, value, parent }: { readonly by: string; readonly value: unknown; readonly parent: StoredObject | undefined },
): StoredObject | undefined {
  const container = parentFor(mock, resource, parent);
  for (const each of [value, typeof value === "string" ? Number(value) : String(value)]) {
    const candidates = findObjects(mock, resource, { by, value: each });
    const object = candidates.find((one) => container === undefined || one.parent === container.key);
    if (object !== undefined) return object;
  }
  return undefined;
}

function parentFor(mock: MockContext, resource: string, parent: StoredObject | undefined): StoredObject | undefined {
  return parent !== undefined && resourceOf(mock, resource).parent === parent.resource ? parent : undefined;
}
