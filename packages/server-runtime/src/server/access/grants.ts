import { isObject, ownField } from "../../http/index.js";
import type { Condition } from "../conditions/conditions.js";
import type { Expression } from "../conditions/expressions.js";
import type { Caller, EntityId } from "../request/request-context.js";
import { rowField, type Ancestor } from "../resources/resource-cache.js";
import type { Resource } from "../resources/resources.js";
import { isSameId } from "./ownership.js";

/** The values of attributes, one of which a caller has to have of each attribute. */
export type CallerValues = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/** What the description states about callers. */
export interface CallerRules {
  /** The callers that need no grant. Absent: all need their grants. */
  readonly needNoGrants?: CallerValues;
  /** The member of a user's grants with those that have names. */
  readonly namedGrants: string;
}

/** What a caller needs: an attribute, a grant by its name, or a level on an entity. */
export type Grant = (
  | { readonly kind: "caller"; readonly caller: CallerValues }
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "entity"; readonly on: Expression; readonly level: string }
) & { readonly when?: Condition; readonly error?: string };

/** A user's permission level on one entity. Null: none. */
export interface EntityGrant {
  readonly id: EntityId;
  readonly permissions: string | null;
}

/** The grants of a user: one list of entities for each kind, and those that have names in a member of their own. */
export type Grants = Readonly<Record<string, Readonly<Record<string, unknown>> | readonly EntityGrant[]>>;

/** True for grants that depend on what the body references. */
export function dependsOnBody(grant: Grant): boolean {
  const { refs, compare = [] } = grant.when ?? {};
  if (refs !== undefined || compare.some((each) => typeof each === "object" && "root" in each && each.root === "refs"))
    return true;
  return grant.kind === "entity" && grant.on.root === "request" && grant.on.part === "body";
}

/** True for grants that do not depend on any resource. The server checks them before it looks up anything, so an error reveals nothing. */
export function appliesToOperation({ kind, when }: Grant): boolean {
  return kind !== "entity" && when === undefined;
}

/** True for grants that depend on what the path names. */
export function dependsOnPath(grant: Grant): boolean {
  return !dependsOnBody(grant) && !appliesToOperation(grant);
}

/** Whether a caller needs grants. */
export function needsGrants(caller: Caller | undefined, rules: CallerRules | undefined): caller is Caller {
  if (caller === undefined) return false;
  return rules?.needNoGrants === undefined || !matchesCaller(caller, rules.needNoGrants);
}

/** Whether a caller has one of the values of each attribute. */
export function matchesCaller(caller: Caller, values: CallerValues): boolean {
  const attributes: Readonly<Record<string, unknown>> = { ...caller };
  return Object.entries(values).every(([name, allowed]) =>
    allowed.some((each) =>
      // True also for a 1, which some databases return for true.
      typeof each === "boolean" ? Boolean(attributes[name]) === each : attributes[name] === each,
    ),
  );
}

/** Whether grants have one by its name. */
export function hasNamedGrant(grants: Grants, name: string, rules: CallerRules | undefined): boolean {
  const named = rules && ownField(grants, rules.namedGrants);
  return isObject(named) && ownField(named, name) === true;
}

/** The grants that concern one reference. */
export interface ReferenceGrants {
  readonly isOfPath: boolean;
  readonly grants: readonly Grant[];
}

/** The grants that concern a path parameter or a field of the body. */
export function grantsFor(
  all: readonly Grant[],
  { parameter, key }: { readonly parameter?: string; readonly key?: string },
): readonly Grant[] {
  return all.filter((grant) => grant.kind === "entity" && isGrantFor(grant.on, { parameter, key }));
}

function isGrantFor(
  on: Expression,
  { parameter, key }: { readonly parameter: string | undefined; readonly key: string | undefined },
): boolean {
  if (on.root !== "request") return false;
  return on.part === "path" ? on.name === parameter : on.part === "body" && on.pointer.join("/") === key;
}

/** The user's permission level on the nearest ancestor that has grants. Null: none. */
export function levelFor(
  chain: readonly Ancestor[],
  grants: Grants,
  resources: Readonly<Record<string, Resource>>,
): string | null {
  const holder = chain.find(({ resource }) => resources[resource]?.grants !== undefined);
  const list = holder === undefined ? undefined : resources[holder.resource]?.grants;
  if (holder === undefined || list === undefined) return null;
  const id = rowField(holder.row, resources[holder.resource]?.key ?? "id");
  return entitiesOf(grants, list).find((each) => isSameId(each.id, id))?.permissions ?? null;
}

/** Whether a level includes another, directly or through the levels that it implies. */
export function impliesLevel(
  level: string,
  required: string,
  levels: Readonly<Record<string, readonly string[]>>,
): boolean {
  const visited = new Set<string>();
  const holds = (each: string): boolean => {
    if (each === required) return true;
    if (visited.has(each)) return false;
    visited.add(each);
    return Object.hasOwn(levels, each) && (levels[each] ?? []).some(holds);
  };
  return holds(level);
}

/** The entities of one list of a user's grants. */
export function entitiesOf(grants: Grants, list: string): readonly EntityGrant[] {
  const entities = Object.hasOwn(grants, list) ? grants[list] : [];
  return Array.isArray(entities) ? (entities as readonly EntityGrant[]) : [];
}
