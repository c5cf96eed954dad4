import type { Caller, EntityId, LoadQuery, RequestContext, ResourceStore } from "../../server/index.js";
import { resourceOf, type MockContext } from "../mock-context.js";
import { findObjects, isVisible, storedObject, viewOf } from "../objects/objects.js";
import { isOwnedBy, isSameOwner, ownerOf } from "../objects/owners.js";
import type { StoredObject } from "../store/stored-object.js";
import { createObject } from "./creation.js";

/** How the server loads each resource from the store. */
export function resourceLoaders(mock: MockContext): Readonly<Record<string, ResourceStore>> {
  return Object.fromEntries(
    Object.keys(mock.definition.resources).map((resource) => [resource, resourceLoader(mock, resource)] as const),
  );
}

function resourceLoader(mock: MockContext, resource: string): ResourceStore {
  const machines = mock.definition.stateMachines.filter((each) => each.resource === resource);
  const { identifier, owner } = resourceOf(mock, resource);
  const foreign = Object.fromEntries(owner.map((attribute) => [attribute, ""] as const));
  return {
    load: ({ by, values }: LoadQuery<EntityId>, { caller }: RequestContext) =>
      values.flatMap((value) => {
        // The server loads parents by their ids, which objects with another key do not have.
        const object = findObject(mock, resource, { by: by === "id" ? identifier.field : by, value, caller });
        return object === undefined ? [] : [viewOf(mock, object)];
      }),
    // An object of the platform has an owner that differs from every caller.
    owner: (row) => ({ ...foreign, ...storedObject(mock, row)?.owner }),
    parent: (row) => parentIdentifier(mock, storedObject(mock, row)),
    own: ({ caller }: RequestContext) => {
      const object = ownObject(mock, resource, caller);
      return object && viewOf(mock, object);
    },
    states: Object.fromEntries(
      machines.map(({ name }) => [name, (row: unknown) => storedObject(mock, row)?.states[name]?.state ?? ""] as const),
    ),
  };
}

/** The object with a value: the caller's, if several accounts have one. */
export function findObject(
  mock: MockContext,
  resource: string,
  { by, value, caller }: { readonly by: string; readonly value: unknown; readonly caller: Caller | undefined },
): StoredObject | undefined {
  const objects = findObjects(mock, resource, { by, value });
  const owner = ownerOf(resourceOf(mock, resource), caller);
  return objects.find((each) => isOwnedBy(each, owner)) ?? objects[0];
}

/** The one object that each caller has. It exists as soon as it is read. */
export function ownObject(mock: MockContext, resource: string, caller: Caller | undefined): StoredObject | undefined {
  if (caller === undefined) return undefined;
  const definition = resourceOf(mock, resource);
  const owner = ownerOf(definition, caller);
  for (const each of mock.store.all(resource)) if (isSameOwner(each.owner, owner) && isVisible(mock, each)) return each;
  return createObject(mock, { resource, values: {}, caller, owner });
}

function parentIdentifier(mock: MockContext, object: StoredObject | undefined): EntityId {
  const parent = mock.store.get(object?.parent);
  const identifier = parent && parent.values[resourceOf(mock, parent.resource).identifier.field];
  return typeof identifier === "number" || typeof identifier === "string" ? identifier : "";
}
