import type { Condition } from "./conditions.js";
import { isMet } from "./conditions.js";
import type { Caller, Key } from "./call.js";
import type { Expression } from "./expressions.js";
import type { Facts } from "./facts.js";
import { keyOf, type Link, type Resource } from "./resources.js";

/** What a restricted caller needs. */
export type Grant = (
  | { readonly kind: "global"; readonly global: string }
  | { readonly kind: "unrestricted" }
  | { readonly kind: "entity"; readonly on: Expression; readonly level: string }
) & { readonly when?: Condition; readonly error?: string };

/** What a user may do with one entity; null: nothing. */
export interface EntityGrant {
  readonly id: Key;
  readonly permissions: string | null;
}

/** What a restricted user holds: global grants by name, and a list of entities for each kind. */
export interface Grants {
  readonly global: Readonly<Record<string, unknown>>;
  readonly [entities: string]: Readonly<Record<string, unknown>> | readonly EntityGrant[];
}

/** True where a grant is asked for, which it is of restricted callers alone. */
export function isAsked(grant: Grant, caller: Caller | undefined, facts: Facts): boolean {
  return caller?.restricted === true && (grant.when === undefined || isMet(grant.when, facts));
}

/** What a user holds on the root of a chain: a level, null where it holds nothing on it, undefined where nobody can. */
export function levelOn(
  chain: readonly Link[],
  grants: Grants,
  resources: Readonly<Record<string, Resource>>,
): string | null | undefined {
  const holder = chain.find(({ resource }) => resources[resource]?.grants !== undefined);
  const list = holder === undefined ? undefined : resources[holder.resource]?.grants;
  if (holder === undefined || list === undefined) return undefined;
  const id = keyOf(holder.row, "id");
  return entitiesOf(grants, list).find((each) => each.id === id)?.permissions ?? null;
}

/** The entities of a kind that a user holds anything on. */
export function visibleIds(grants: Grants, list: string): readonly Key[] {
  return entitiesOf(grants, list)
    .filter(({ permissions }) => permissions !== null)
    .map(({ id }) => id);
}

export function isGloballyGranted(grants: Grants, name: string): boolean {
  return grants.global[name] === true;
}

/** Whether a level is as much as another, by what each implies. */
export function reaches(level: string, wanted: string, levels: Readonly<Record<string, readonly string[]>>): boolean {
  const seen = new Set<string>();
  const holds = (each: string): boolean => {
    if (each === wanted) return true;
    if (seen.has(each)) return false;
    seen.add(each);
    return (levels[each] ?? []).some(holds);
  };
  return holds(level);
}

function entitiesOf(grants: Grants, list: string): readonly EntityGrant[] {
  const found = Object.hasOwn(grants, list) ? grants[list] : [];
  return Array.isArray(found) ? (found as readonly EntityGrant[]) : [];
}
