import type { Caller, Key } from "./call.js";
import type { Case } from "./case.js";
import { isMet, type Condition } from "./conditions.js";
import type { Expression } from "./expressions.js";
import { isPending, type Awaitable } from "./handlers.js";
import { isSame, ownerKey } from "./owners.js";
import type { Reference, Resource, Visible } from "./resources.js";
import { keyOf, type Link } from "./rows.js";

/** A grant that a restricted caller needs. */
export type Grant = (
  | { readonly kind: "global"; readonly global: string }
  | { readonly kind: "unrestricted" }
  | { readonly kind: "entity"; readonly on: Expression; readonly level: string }
) & { readonly when?: Condition; readonly error?: string };

/** A user's permission level on one entity. Null: none. */
export interface EntityGrant {
  readonly id: Key;
  readonly permissions: string | null;
}

/** The grants of a restricted user: global ones by name, and one list of entities for each kind. */
export interface Grants {
  readonly global: Readonly<Record<string, unknown>>;
  readonly [entities: string]: Readonly<Record<string, unknown>> | readonly EntityGrant[];
}

/** True for grants that depend on what the body references. */
export function isOfBody(grant: Grant): boolean {
  const { refs, compare = [] } = grant.when ?? {};
  if (refs !== undefined || compare.some((each) => typeof each === "object" && "root" in each && each.root === "refs"))
    return true;
  return grant.kind === "entity" && grant.on.root === "request" && grant.on.part === "body";
}

/** True for grants that do not depend on any resource. The server checks them before it looks up anything, so an error reveals nothing. */
export function isOfOperation({ kind, when }: Grant): boolean {
  return kind !== "entity" && when === undefined;
}

/** True for grants that depend on what the path names. */
export function needsPath(grant: Grant): boolean {
  return !isOfBody(grant) && !isOfOperation(grant);
}

/** True also for a 1, which some databases return for true. */
export function isRestricted(caller: Caller | undefined): boolean {
  return caller !== undefined && Boolean(caller.restricted);
}

/** Checks that a restricted caller has the grants, and an anonymous caller needs none. Other callers need none. */
export function judgeGrants(one: Case, isMeant: (grant: Grant) => boolean): Awaitable<void> {
  const { caller } = one;
  return caller === undefined || isRestricted(caller) ? judgeRestricted(one, isMeant) : undefined;
}

async function judgeRestricted(one: Case, isMeant: (grant: Grant) => boolean): Promise<void> {
  for (const grant of one.plan.grants) {
    if (isMeant(grant) && (grant.when === undefined || isMet(grant.when, one))) await judgeGrant(grant, one);
  }
}

async function judgeGrant(grant: Grant, one: Case): Promise<void> {
  const { error } = grant;
  const isAnonymous = one.caller === undefined;
  if (grant.kind === "unrestricted" || (isAnonymous && grant.kind === "global")) throw one.forbidden(error);
  // Anonymous callers see public resources only.
  if (isAnonymous) return;
  const held = one.grants();
  const grants = isPending(held) ? await held : held;
  if (grant.kind === "global") {
    if (grants.global[grant.global] !== true) throw one.forbidden(error);
    return;
  }
  const { resources, grammar } = one.around.api;
  const { reference, chains } = entitiesNamed(grant, one);
  for (const [place, chain] of chains) {
    const level = levelOn(chain, grants, resources);
    // A resource on which the caller has no grant looks like one that does not exist.
    if (level === null) throw one.missing(reference, place === "" ? undefined : [place]);
    if (!reaches(level, grant.level, grammar?.levels ?? {})) throw one.forbidden(error);
  }
}

/**
 * Whether a restricted caller needs a grant on a referenced resource and has none. The server then responds as if the resource did not exist,
 * before any other error could reveal that it does.
 */
export function isWithheld(
  { isOfPath, grants: about }: GrantedReference,
  chain: readonly Link[],
  { one, grants }: { readonly one: Case; readonly grants: Grants | undefined },
): boolean {
  if (grants === undefined || about.length === 0) return false;
  return about.some(({ when }) => {
    // The body is not validated yet when the path is looked up, so its values cannot be used.
    if (isOfPath && when !== undefined && asksForBody(when)) return false;
    return (when === undefined || isMet(when, one)) && levelOn(chain, grants, one.around.api.resources) === null;
  });
}

/** The grants that concern one reference. */
export interface GrantedReference {
  readonly isOfPath: boolean;
  readonly grants: readonly Grant[];
}

/** The grants that concern a path parameter or a field of the body. */
export function grantsAbout(
  all: readonly Grant[],
  { parameter, key }: { readonly parameter?: string; readonly key?: string },
): readonly Grant[] {
  return all.filter((grant) => grant.kind === "entity" && isAbout(grant.on, { parameter, key }));
}

/** The grants that may hide resources from the caller. Undefined if nothing can be hidden. */
export function withholding(one: Case): Awaitable<Grants | undefined> {
  return isRestricted(one.caller) && one.plan.grants.some(({ kind }) => kind === "entity") ? one.grants() : undefined;
}

function isAbout(
  on: Expression,
  { parameter, key }: { readonly parameter: string | undefined; readonly key: string | undefined },
): boolean {
  if (on.root !== "request") return false;
  return on.part === "path" ? on.name === parameter : on.part === "body" && on.pointer.join("/") === key;
}

function asksForBody({ body, refs, changes, compare }: Condition): boolean {
  return [body, refs, changes, compare].some((each) => each !== undefined);
}

/** The entities that a grant concerns, each with its location in the request. */
function entitiesNamed(
  { on }: Extract<Grant, { readonly kind: "entity" }>,
  one: Case,
): {
  readonly reference: Reference | undefined;
  readonly chains: readonly (readonly [place: string, chain: readonly Link[]])[];
} {
  const { plan, parameters, chains } = one;
  if (on.part === "path") {
    const chain = parameters.get(on.name ?? "");
    if (chain === undefined)
      throw new TypeError(`grants: the path parameter "${on.name}" is not a reference. Generate the package again.`);
    return { reference: plan.resources.path.find((each) => each.parameter === on.name), chains: [["", chain]] };
  }
  if (on.root !== "request" || on.part !== "body")
    throw new TypeError("grants: an expression refers to no part of the request. Generate the package again.");
  const key = on.pointer.join("/");
  const index = plan.named.findIndex((each) => each.key === key);
  const found = chains[index] ?? [];
  return {
    reference: plan.named[index],
    chains: (one.named[index] ?? []).map(({ place }, at) => [place, found[at] ?? []] as const),
  };
}

/** The part of a list that the caller may see. */
export async function visibleTo(one: Case, resource: string): Promise<Visible> {
  const { owner, public: open, grants } = one.around.api.resources[resource] ?? { owner: [] };
  const { caller } = one;
  const kinds = owner.filter((each) => each !== "platform");
  const andPublic = open !== undefined || kinds.length === 0;
  if (caller === undefined || kinds.length === 0) return { andPublic };
  const whose = Object.fromEntries(kinds.map((kind) => [kind, ownerKey(caller, kind)] as const));
  // A caller without such an id owns nothing. In a query, undefined would match every owner.
  if (Object.values(whose).some((each) => each === undefined)) return { owner: whose, ids: [], andPublic };
  if (!isRestricted(caller) || grants === undefined) return { owner: whose, andPublic };
  const held = entitiesOf(await one.grants(), grants).filter(({ permissions }) => (permissions ?? null) !== null);
  return { owner: whose, ids: held.map(({ id }) => id), andPublic };
}

/** The user's permission level on the nearest ancestor that has grants. Null: none. */
function levelOn(chain: readonly Link[], grants: Grants, resources: Readonly<Record<string, Resource>>): string | null {
  const holder = chain.find(({ resource }) => resources[resource]?.grants !== undefined);
  const list = holder === undefined ? undefined : resources[holder.resource]?.grants;
  if (holder === undefined || list === undefined) return null;
  const id = keyOf(holder.row, "id");
  return entitiesOf(grants, list).find((each) => isSame(each.id, id))?.permissions ?? null;
}

/** Whether a level includes another, directly or through the levels that it implies. */
function reaches(level: string, wanted: string, levels: Readonly<Record<string, readonly string[]>>): boolean {
  const seen = new Set<string>();
  const holds = (each: string): boolean => {
    if (each === wanted) return true;
    if (seen.has(each)) return false;
    seen.add(each);
    return Object.hasOwn(levels, each) && (levels[each] ?? []).some(holds);
  };
  return holds(level);
}

function entitiesOf(grants: Grants, list: string): readonly EntityGrant[] {
  const found = Object.hasOwn(grants, list) ? grants[list] : [];
  return Array.isArray(found) ? (found as readonly EntityGrant[]) : [];
}
