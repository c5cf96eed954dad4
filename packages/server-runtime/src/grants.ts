import type { Key } from "./call.js";
import type { Case } from "./case.js";
import { isMet, type Condition } from "./conditions.js";
import type { Expression } from "./expressions.js";
import { isPending, type Awaitable } from "./handlers.js";
import { keyOf, namedIn, ownerKey, type Link, type Reference, type Resource, type Visible } from "./resources.js";

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
  if (grant.when?.refs !== undefined) return true;
  return grant.kind === "entity" && grant.on.root === "request" && grant.on.part === "body";
}

/** A restricted caller holds what is needed; others need nothing. */
export function judgeGrants(one: Case, isMeant: (grant: Grant) => boolean): Awaitable<void> {
  return one.caller?.restricted === true ? judgeRestricted(one, isMeant) : undefined;
}

async function judgeRestricted(one: Case, isMeant: (grant: Grant) => boolean): Promise<void> {
  for (const grant of one.plan.grants) {
    if (isMeant(grant) && (grant.when === undefined || isMet(grant.when, one))) await judgeGrant(grant, one);
  }
}

async function judgeGrant(grant: Grant, one: Case): Promise<void> {
  const { error } = grant;
  if (grant.kind === "unrestricted") throw one.forbidden(error);
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

/** The entities that a grant is about, each with where the request names it. */
function entitiesNamed(
  { on }: Extract<Grant, { readonly kind: "entity" }>,
  { plan, parameters, places, body }: Case,
): {
  readonly reference: Reference | undefined;
  readonly chains: readonly (readonly [place: string, chain: readonly Link[]])[];
} {
  if (on.part === "path") {
    const chain = parameters.get(on.name ?? "");
    const reference = plan.resources.path.find((each) => each.parameter === on.name);
    return { reference, chains: chain === undefined ? [] : [["", chain]] };
  }
  const pointer = on.pointer.join("/");
  const reference = plan.resources.body.find((each) => each.pointer.join("/") === pointer);
  return { reference, chains: namedIn(body, on.pointer).map(({ place }) => [place, places.get(place) ?? []] as const) };
}

/** What of a list of a resource a caller may see. */
export async function visibleTo(one: Case, resource: string): Promise<Visible> {
  const { owner, public: open, grants } = one.around.api.resources[resource] ?? { owner: [] };
  const { caller } = one.context;
  const kinds = owner.filter((each) => each !== "platform");
  const andPublic = open !== undefined || kinds.length === 0;
  if (caller === undefined || kinds.length === 0) return { andPublic };
  const whose = Object.fromEntries(kinds.map((kind) => [kind, ownerKey(caller, kind)] as const));
  if (caller.restricted !== true || grants === undefined) return { owner: whose, andPublic };
  const held = entitiesOf(await one.grants(), grants).filter(({ permissions }) => permissions !== null);
  return { owner: whose, ids: held.map(({ id }) => id), andPublic };
}

/** What a user holds on what a chain lies in: a level, or null where it holds nothing on it. */
function levelOn(chain: readonly Link[], grants: Grants, resources: Readonly<Record<string, Resource>>): string | null {
  const holder = chain.find(({ resource }) => resources[resource]?.grants !== undefined);
  const list = holder === undefined ? undefined : resources[holder.resource]?.grants;
  if (holder === undefined || list === undefined) return null;
  const id = keyOf(holder.row, "id");
  return entitiesOf(grants, list).find((each) => each.id === id)?.permissions ?? null;
}

/** Whether a level is as much as another, by what each implies. */
function reaches(level: string, wanted: string, levels: Readonly<Record<string, readonly string[]>>): boolean {
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
