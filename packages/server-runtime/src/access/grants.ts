import type { Caller, EntityId } from "../request/request-context.js";
import type { RequestEvaluation } from "../request/request-evaluation.js";
import { isConditionMet, type Condition } from "../conditions/conditions.js";
import type { Expression } from "../conditions/expressions.js";
import { isPromiseLike, type Awaitable } from "../handlers.js";
import { isSameId, ownerKey } from "./ownership.js";
import type { Reference, Resource, ListScope } from "../resources/resources.js";
import { rowField, type Ancestor } from "../resources/resource-cache.js";

/** A grant that a restricted caller needs. */
export type Grant = (
  | { readonly kind: "global"; readonly global: string }
  | { readonly kind: "unrestricted" }
  | { readonly kind: "entity"; readonly on: Expression; readonly level: string }
) & { readonly when?: Condition; readonly error?: string };

/** A user's permission level on one entity. Null: none. */
export interface EntityGrant {
  readonly id: EntityId;
  readonly permissions: string | null;
}

/** The grants of a restricted user: global ones by name, and one list of entities for each kind. */
export interface Grants {
  readonly global: Readonly<Record<string, unknown>>;
  readonly [entities: string]: Readonly<Record<string, unknown>> | readonly EntityGrant[];
}

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

/** True also for a 1, which some databases return for true. */
export function isRestricted(caller: Caller | undefined): boolean {
  return caller !== undefined && Boolean(caller.restricted);
}

/** Checks that a restricted caller has the grants, and an anonymous caller needs none. Other callers need none. */
export function checkGrants(evaluation: RequestEvaluation, isMeant: (grant: Grant) => boolean): Awaitable<void> {
  const { caller } = evaluation;
  return caller === undefined || isRestricted(caller) ? checkRestricted(evaluation, isMeant) : undefined;
}

async function checkRestricted(evaluation: RequestEvaluation, isMeant: (grant: Grant) => boolean): Promise<void> {
  for (const grant of evaluation.plan.grants) {
    if (isMeant(grant) && (grant.when === undefined || isConditionMet(grant.when, evaluation)))
      await checkGrant(grant, evaluation);
  }
}

async function checkGrant(grant: Grant, evaluation: RequestEvaluation): Promise<void> {
  const { error } = grant;
  const isAnonymous = evaluation.caller === undefined;
  if (grant.kind === "unrestricted" || (isAnonymous && grant.kind === "global")) throw evaluation.forbidden(error);
  // Anonymous callers see public resources only.
  if (isAnonymous) return;
  const grantsOrPromise = evaluation.grants();
  const grants = isPromiseLike(grantsOrPromise) ? await grantsOrPromise : grantsOrPromise;
  if (grant.kind === "global") {
    if (grants.global[grant.global] !== true) throw evaluation.forbidden(error);
    return;
  }
  const { resources, scopeGrammar } = evaluation.server.definition;
  const { reference, chains } = referencedEntities(grant, evaluation);
  for (const [location, chain] of chains) {
    const level = levelFor(chain, grants, resources);
    // A resource on which the caller has no grant looks like one that does not exist.
    if (level === null) throw evaluation.notFound(reference, location === "" ? undefined : [location]);
    if (!impliesLevel(level, grant.level, scopeGrammar?.levels ?? {})) throw evaluation.forbidden(error);
  }
}

/**
 * Whether a restricted caller needs a grant on a referenced resource and has none. The server then responds as if the resource did not exist,
 * before any other error could reveal that it does.
 */
export function isHidden(
  { isOfPath, grants: about }: ReferenceGrants,
  chain: readonly Ancestor[],
  { evaluation, grants }: { readonly evaluation: RequestEvaluation; readonly grants: Grants | undefined },
): boolean {
  if (grants === undefined || about.length === 0) return false;
  return about.some(({ when }) => {
    // The body is not validated yet when the path is looked up, so its values cannot be used.
    if (isOfPath && when !== undefined && needsBody(when)) return false;
    return (
      (when === undefined || isConditionMet(when, evaluation)) &&
      levelFor(chain, grants, evaluation.server.definition.resources) === null
    );
  });
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

/** The grants that may hide resources from the caller. Undefined if nothing can be hidden. */
export function hidingGrants(evaluation: RequestEvaluation): Awaitable<Grants | undefined> {
  return isRestricted(evaluation.caller) && evaluation.plan.grants.some(({ kind }) => kind === "entity")
    ? evaluation.grants()
    : undefined;
}

function isGrantFor(
  on: Expression,
  { parameter, key }: { readonly parameter: string | undefined; readonly key: string | undefined },
): boolean {
  if (on.root !== "request") return false;
  return on.part === "path" ? on.name === parameter : on.part === "body" && on.pointer.join("/") === key;
}

function needsBody({ body, refs, changes, compare }: Condition): boolean {
  return [body, refs, changes, compare].some((each) => each !== undefined);
}

/** The entities that a grant concerns, each with its location in the request. */
function referencedEntities(
  { on }: Extract<Grant, { readonly kind: "entity" }>,
  evaluation: RequestEvaluation,
): {
  readonly reference: Reference | undefined;
  readonly chains: readonly (readonly [place: string, chain: readonly Ancestor[]])[];
} {
  const { plan, parameters, chains } = evaluation;
  if (on.part === "path") {
    const chain = parameters.get(on.name ?? "");
    if (chain === undefined)
      throw new TypeError(`grants: the path parameter "${on.name}" is not a reference. Generate the package again.`);
    return { reference: plan.resources.path.find((each) => each.parameter === on.name), chains: [["", chain]] };
  }
  if (on.root !== "request" || on.part !== "body")
    throw new TypeError("grants: an expression refers to no part of the request. Generate the package again.");
  const key = on.pointer.join("/");
  const index = plan.bodyReferences.findIndex((each) => each.key === key);
  const found = chains[index] ?? [];
  return {
    reference: plan.bodyReferences[index],
    chains: (evaluation.bodyIds[index] ?? []).map(({ location }, at) => [location, found[at] ?? []] as const),
  };
}

/** The part of a list that the caller may see. */
export async function listScopeOf(evaluation: RequestEvaluation, resource: string): Promise<ListScope> {
  const { owner, public: open, grants } = evaluation.server.definition.resources[resource] ?? { owner: [] };
  const { caller } = evaluation;
  const kinds = owner.filter((each) => each !== "platform");
  const includePublic = open !== undefined || kinds.length === 0;
  if (caller === undefined || kinds.length === 0) return { includePublic };
  const whose = Object.fromEntries(kinds.map((kind) => [kind, ownerKey(caller, kind)] as const));
  // A caller without such an id owns nothing. In a query, undefined would match every owner.
  if (Object.values(whose).some((each) => each === undefined)) return { owner: whose, ids: [], includePublic };
  if (!isRestricted(caller) || grants === undefined) return { owner: whose, includePublic };
  const granted = entitiesOf(await evaluation.grants(), grants).filter(
    ({ permissions }) => (permissions ?? null) !== null,
  );
  return { owner: whose, ids: granted.map(({ id }) => id), includePublic };
}

/** The user's permission level on the nearest ancestor that has grants. Null: none. */
function levelFor(
  chain: readonly Ancestor[],
  grants: Grants,
  resources: Readonly<Record<string, Resource>>,
): string | null {
  const holder = chain.find(({ resource }) => resources[resource]?.grants !== undefined);
  const list = holder === undefined ? undefined : resources[holder.resource]?.grants;
  if (holder === undefined || list === undefined) return null;
  const id = rowField(holder.row, "id");
  return entitiesOf(grants, list).find((each) => isSameId(each.id, id))?.permissions ?? null;
}

/** Whether a level includes another, directly or through the levels that it implies. */
function impliesLevel(level: string, required: string, levels: Readonly<Record<string, readonly string[]>>): boolean {
  const seen = new Set<string>();
  const holds = (each: string): boolean => {
    if (each === required) return true;
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
