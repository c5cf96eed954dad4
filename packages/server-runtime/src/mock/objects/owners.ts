import { type Caller, type EntityId, ownerKey } from "../../server/index.js";
import type { MockDefinition, MockResource } from "../mock-definition.js";
import type { ObjectOwner, StoredObject } from "../store/stored-object.js";

/** The owner of an object that a caller creates. */
export function ownerOf({ owner }: Pick<MockResource, "owner">, caller: Caller | undefined): ObjectOwner {
  if (caller === undefined) return {};
  return Object.fromEntries(
    owner.flatMap((attribute) => {
      const key = ownerKey(caller, attribute);
      return key === undefined ? [] : [[attribute, key] as const];
    }),
  );
}

/** Whether an object belongs to the caller. Objects of the platform belong to everybody. */
export function isOwnedBy({ owner }: StoredObject, expected: ObjectOwner): boolean {
  return Object.entries(owner).every(([attribute, key]) => key === expected[attribute]);
}

/** Whether two objects have one owner. */
export function isSameOwner(one: ObjectOwner, other: ObjectOwner): boolean {
  return [...Object.keys(one), ...Object.keys(other)].every((attribute) => one[attribute] === other[attribute]);
}

/** The account of an object. */
export function accountOf({ callers }: MockDefinition, { owner }: StoredObject): EntityId | undefined {
  return callers.tenant === undefined ? undefined : owner[callers.tenant];
}
