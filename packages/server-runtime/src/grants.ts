import type { Caller, Key } from "./call.js";
import type { Case } from "./case.js";
import { isMet, type Condition } from "./conditions.js";
import type { Expression } from "./expressions.js";
import { isPending, type Awaitable } from "./handlers.js";
import { isSame, ownerKey } from "./owners.js";
import type { Reference, Resource, Visible } from "./resources.js";
import { keyOf, type Link } from "./rows.js";

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

/** True for grants that are judged by what the body names. */
export function isOfBody(grant: Grant): boolean {
  const { refs, compare = [] } = grant.when ?? {};
  if (refs !== undefined || compare.some((each) => typeof each === "object" && "root" in each && each.root === "refs"))
    return true;
  return grant.kind === "entity" && grant.on.root === "request" && grant.on.part === "body";
}

/** True for grants without which an operation is not for a caller at all, whatever is named: then nothing is looked up that could be told of. */
export function isOfOperation({ kind, when }: Grant): boolean {
  return kind !== "entity" && when === undefined;
}

/** True for grants that are judged by what the path names. */
export function needsPath(grant: Grant): boolean {
  return !isOfBody(grant) && !isOfOperation(grant);
}

/** True also where a database says 1 for true. */
export function isRestricted(caller: Caller | undefined): boolean {
  return caller !== undefined && Boolean(caller.restricted);
}

/** A restricted caller holds what is needed, an anonymous one holds nothing, and others need nothing. */
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
  // What an anonymous caller may know of is everybody's.
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
    // What nothing is held on is as absent as what is not there.
    if (level === null) throw one.missing(reference, place === "" ? undefined : [place]);
    if (!reaches(level, grant.level, grammar?.levels ?? {})) throw one.forbidden(error);
  }
}

/**
 * Whether a restricted caller holds nothing on what a reference names, and would have to. Then it is told of as what is not there is: before
 * anything else that is wrong with it, or with the request, could tell that it is there.
 */
export function isWithheld(
  { isOfPath, grants: about }: GrantedReference,
  chain: readonly Link[],
  { one, grants }: { readonly one: Case; readonly grants: Grants | undefined },
): boolean {
  if (grants === undefined || about.length === 0) return false;
  return about.some(({ when }) => {
    // Of the body nothing is known for certain before it is judged, which it is when what it names is looked at.
    if (isOfPath && when !== undefined && asksForBody(when)) return false;
    return (when === undefined || isMet(when, one)) && levelOn(chain, grants, one.around.api.resources) === null;
  });
}

/** What is held on what a reference names. */
export interface GrantedReference {
  readonly isOfPath: boolean;
  readonly grants: readonly Grant[];
}

/** The grants that are about what a parameter of the path, or a field of the body, names. */
export function grantsAbout(
  all: readonly Grant[],
  { parameter, key }: { readonly parameter?: string; readonly key?: string },
): readonly Grant[] {
  return all.filter((grant) => grant.kind === "entity" && isAbout(grant.on, { parameter, key }));
}

/** What decides on whether anything is withheld from a caller; undefined where nothing is. */
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

/** The entities that a grant is about, each with where the request names it. */
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
    if (chain === undefined) throw new TypeError(`grants: nothing is looked up by ${on.name}`);
    return { reference: plan.resources.path.find((each) => each.parameter === on.name), chains: [["", chain]] };
  }
  if (on.root !== "request" || on.part !== "body") throw new TypeError("grants: one is about no part of the request");
  const key = on.pointer.join("/");
  const index = plan.named.findIndex((each) => each.key === key);
  const found = chains[index] ?? [];
  return {
    reference: plan.named[index],
    chains: (one.named[index] ?? []).map(({ place }, at) => [place, found[at] ?? []] as const),
  };
}

/** What of a list of a resource a caller may see. */
export async function visibleTo(one: Case, resource: string): Promise<Visible> {
  const { owner, public: open, grants } = one.around.api.resources[resource] ?? { owner: [] };
  const { caller } = one;
  const kinds = owner.filter((each) => each !== "platform");
  const andPublic = open !== undefined || kinds.length === 0;
  if (caller === undefined || kinds.length === 0) return { andPublic };
  const whose = Object.fromEntries(kinds.map((kind) => [kind, ownerKey(caller, kind)] as const));
  // Whoever is no such owner owns none, and a query would take undefined for anybody.
  if (Object.values(whose).some((each) => each === undefined)) return { owner: whose, ids: [], andPublic };
  if (!isRestricted(caller) || grants === undefined) return { owner: whose, andPublic };
  const held = entitiesOf(await one.grants(), grants).filter(({ permissions }) => (permissions ?? null) !== null);
  return { owner: whose, ids: held.map(({ id }) => id), andPublic };
}

/** What a user holds on what a chain lies in: a level, or null where it holds nothing on it. */
function levelOn(chain: readonly Link[], grants: Grants, resources: Readonly<Record<string, Resource>>): string | null {
  const holder = chain.find(({ resource }) => resources[resource]?.grants !== undefined);
  const list = holder === undefined ? undefined : resources[holder.resource]?.grants;
  if (holder === undefined || list === undefined) return null;
  const id = keyOf(holder.row, "id");
  return entitiesOf(grants, list).find((each) => isSame(each.id, id))?.permissions ?? null;
}

/** Whether a level is as much as another, by what each implies. */
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
