import type { Caller } from "../../server/index.js";
import type { MockResource } from "../mock-definition.js";
import type { ObjectOwner, StoredObject } from "../store/stored-object.js";

/** The owner of an object that a caller creates. */
export function ownerOf({ owner }: Pick<MockResource, "owner">, caller: Caller | undefined): ObjectOwner {
  if (caller === undefined) return {};
  const { user, account, client } = caller;
  return {
    ...(owner.includes("account") && account !== undefined ? { account: account.id } : {}),
    ...(owner.includes("user") ? { user } : {}),
    ...(owner.includes("client") && client !== undefined ? { client } : {}),
  };
}

/** Whether an object belongs to the caller. Objects of the platform belong to everybody. */
export function isOwnedBy({ owner }: StoredObject, expected: ObjectOwner): boolean {
  return (
    (owner.account === undefined || owner.account === expected.account) &&
    (owner.user === undefined || owner.user === expected.user) &&
    (owner.client === undefined || owner.client === expected.client)
  );
}
