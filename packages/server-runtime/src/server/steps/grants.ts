import {
  appliesToOperation,
  dependsOnBody,
  dependsOnPath,
  hasNamedGrant,
  impliesLevel,
  levelFor,
  matchesCaller,
  needsGrants,
  type Grant,
  type Grants,
} from "../access/grants.js";
import { isConditionMet } from "../conditions/conditions.js";
import type { OperationErrors } from "../errors/operation-errors.js";
import type { Awaitable } from "../handlers.js";
import type { OperationPlan } from "../operation-plan.js";
import { andThen, firstInTurn } from "../request/in-turn.js";
import type { Ancestor } from "../resources/resource-cache.js";
import type { Reference } from "../resources/resources.js";
import type { ServerContext } from "../server-context.js";
import { loadGrants } from "./caller-grants.js";
import type { RequestEvaluation } from "./request-evaluation.js";
import type { StepFactory } from "./step.js";

/** Checks the grants that the operation always needs, before any lookup. */
export const checkOperationGrants: StepFactory = (plan, server, errors) =>
  checkGrants(plan.grants.filter(appliesToOperation), { plan, server, errors });

/** Checks the grants on what the path names. */
export const checkPathGrants: StepFactory = (plan, server, errors) =>
  checkGrants(plan.grants.filter(dependsOnPath), { plan, server, errors });

/** Checks the grants on what the body references. */
export const checkBodyGrants: StepFactory = (plan, server, errors) =>
  checkGrants(plan.grants.filter(dependsOnBody), { plan, server, errors });

interface GrantContext {
  readonly plan: OperationPlan;
  readonly server: ServerContext;
  readonly errors: OperationErrors;
}

/** Checks that a caller has the grants, unless it needs none. An anonymous caller has none. */
function checkGrants(grants: readonly Grant[], about: GrantContext): ReturnType<StepFactory> {
  if (grants.length === 0) return undefined;
  return (evaluation) => {
    const { caller } = evaluation;
    if (caller !== undefined && !needsGrants(caller, about.server.definition.callers)) return;
    return firstInTurn(grants, (grant) =>
      grant.when === undefined || isConditionMet(grant.when, evaluation)
        ? checkGrant(grant, evaluation, about)
        : undefined,
    );
  };
}

function checkGrant(grant: Grant, evaluation: RequestEvaluation, about: GrantContext): Awaitable<undefined> {
  const { caller } = evaluation;
  if (caller === undefined) {
    // Anonymous callers see public resources only.
    if (grant.kind === "entity") return undefined;
    throw about.errors.forbidden(grant.error);
  }
  if (grant.kind === "caller") {
    if (!matchesCaller(caller, grant.caller)) throw about.errors.forbidden(grant.error);
    return undefined;
  }
  return andThen(loadGrants(evaluation, about.server.options), (grants) => {
    if (grant.kind === "entity") return checkEntityGrant({ grant, grants }, evaluation, about);
    if (!hasNamedGrant(grants, grant.name, about.server.definition.callers)) throw about.errors.forbidden(grant.error);
    return undefined;
  });
}

function checkEntityGrant(
  { grant, grants }: { readonly grant: EntityGrantRule; readonly grants: Grants },
  evaluation: RequestEvaluation,
  { plan, server, errors }: GrantContext,
): undefined {
  const { resources, scopeGrammar } = server.definition;
  const { reference, chains } = referencedEntities(grant, plan, evaluation);
  for (const [location, chain] of chains) {
    const level = levelFor(chain, grants, resources);
    // A resource on which the caller has no grant looks like one that does not exist.
    if (level === null) throw errors.notFound(reference?.onNotFound, location === "" ? undefined : [location]);
    if (!impliesLevel(level, grant.level, scopeGrammar?.levels ?? {})) throw errors.forbidden(grant.error);
  }
}

type EntityGrantRule = Extract<Grant, { readonly kind: "entity" }>;

/** The entities that a grant concerns, each with its location in the request. */
function referencedEntities(
  { on }: EntityGrantRule,
  plan: OperationPlan,
  { refs }: RequestEvaluation,
): {
  readonly reference: Reference | undefined;
  readonly chains: readonly (readonly [location: string, chain: readonly Ancestor[]])[];
} {
  if (on.part === "path") {
    const chain = refs.parameterChain(on.name ?? "");
    if (chain === undefined)
      throw new TypeError(`grants: the path parameter "${on.name}" is not a reference. Generate the package again.`);
    return { reference: plan.resources.path.find((each) => each.parameter === on.name), chains: [["", chain]] };
  }
  if (on.root !== "request" || on.part !== "body")
    throw new TypeError("grants: an expression refers to no part of the request. Generate the package again.");
  const key = on.pointer.join("/");
  const reference = plan.bodyReferences.find((each) => each.key === key);
  const { ids, chains } = refs.referenced(reference);
  return { reference, chains: ids.map(({ location }, at) => [location, chains[at] ?? []] as const) };
}
