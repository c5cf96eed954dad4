import { isValid, ownField } from "../../http/index.js";
import { isSameIdentifier, resourceOf } from "../mock-context.js";
import type { MockEffect, ObjectExpression } from "../mock-definition.js";
import { evaluate, type MockRequest } from "../objects/evaluation.js";
import { findObjects, isDescendant, isVisible, viewOf } from "../objects/objects.js";
import { isOwnedBy, ownerOf } from "../objects/owners.js";
import type { StoredObject } from "../store/stored-object.js";

/** The objects that the values of an expression identify. */
export function resolveObjects(
  request: MockRequest,
  { expression, resource, by }: ObjectExpression,
): readonly StoredObject[] {
  const { mock } = request;
  if (resource === undefined) return [];
  const definition = resourceOf(mock, resource);
  const owner = ownerOf(definition, request.caller);
  const values = evaluate(request, expression).filter((value) => value !== null && value !== undefined);
  return values.flatMap((value) => {
    const objects = findObjects(mock, resource, { by: by ?? definition.identifier.field, value });
    return objects.find((each) => isOwnedBy(each, owner)) ?? objects[0] ?? [];
  });
}

/** The objects that an effect changes. */
export function selectObjects(request: MockRequest, { to, of, where, except }: MockEffect): readonly StoredObject[] {
  const { mock } = request;
  if (to.kind === "object") return resolveObjects(request, to);
  if (to.kind !== "resource") return [];
  const definition = resourceOf(mock, to.resource);
  const parents = of === undefined ? undefined : resolveObjects(request, of);
  const owner = ownerOf(definition, request.caller);
  const excluded = except === undefined ? [] : evaluate(request, except);
  return [...mock.store.all(to.resource)].filter(
    (each) =>
      isVisible(mock, each) &&
      isOwnedBy(each, owner) &&
      (parents === undefined || parents.some((parent) => isDescendant(mock, each, parent))) &&
      (where === undefined || isValid(where, viewOf(mock, each))) &&
      !excluded.some((value) => isSameIdentifier(value, ownField(each.values, definition.identifier.field))),
  );
}
