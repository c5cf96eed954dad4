import { ownField } from "../../http/index.js";
import { type Caller, type EntityGrant, type Grants, needsGrants } from "../../server/index.js";
import { resourceOf, type MockContext } from "../mock-context.js";
import type { MockResource } from "../mock-definition.js";
import type { StoredObject } from "../store/stored-object.js";

/** The grants of a caller, with a list for every resource that has grants. */
export function grantsOf({ definition, users }: MockContext, caller: Caller): Grants {
  const userGrants: Grants = users.get(String(caller.user))?.grants ?? {};
  const lists = Object.values(definition.resources).flatMap(({ grants, identifier }) =>
    grants === undefined ? [] : [[grants, identified(userGrants[grants], identifier)] as const],
  );
  return { ...userGrants, ...Object.fromEntries(lists) };
}

/** Grants name an entity by its number, also where its identifier is a text such as `private/12`. */
function identified(
  entities: Grants[string] | undefined,
  { type, sample }: MockResource["identifier"],
): readonly EntityGrant[] {
  const all = Array.isArray(entities) ? (entities as readonly EntityGrant[]) : [];
  const prefix = String(sample).replace(/\d+$/, "");
  return type === "number"
    ? all
    : all.map((each) => (typeof each.id === "number" ? { ...each, id: `${prefix}${each.id}` } : each));
}

/** A user who needs grants has the highest level on what it creates, or could not use it. */
export function grantCreator(mock: MockContext, object: StoredObject, caller: Caller | undefined): void {
  const { grants, identifier } = resourceOf(mock, object.resource);
  const { highestLevel, callers } = mock.definition;
  if (grants === undefined || highestLevel === undefined || !needsGrants(caller, callers)) return;
  const id = ownField(object.values, identifier.field);
  if (typeof id !== "number" && typeof id !== "string") return;
  const label = ["label", "name", "title", "domain"].map((field) => ownField(object.values, field)).find(Boolean);
  mock.users.grantEntity(String(caller.user), grants, { id, label: label ?? String(id), permissions: highestLevel });
}
