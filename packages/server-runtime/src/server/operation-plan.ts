import type { Check, Operation } from "../http/index.js";
import { grantsFor, type Grant, type ReferenceGrants } from "./access/grants.js";
import { securityPolicyOf, type SecurityPolicy } from "./access/security.js";
import type { ErrorRule } from "./conditions/error-rules.js";
import type { MutabilityRule } from "./conditions/mutability.js";
import type { FieldValues } from "./conditions/value-rules.js";
import type { ErrorDefinitions } from "./errors/errors.js";
import type { OperationLimits } from "./rate-limits/limits.js";
import { isCountedBeforeDecoding, type CountedRate } from "./rate-limits/rates.js";
import type { BodyReference, OperationResources } from "./resources/resources.js";
import type { DeprecationHeaders } from "./response/deprecation.js";
import { ownEntry, type ScopeCeilingRule, type ServerDefinition } from "./server-definition.js";
import type { StateRule } from "./state-machines/state-rules.js";

/** What the description says about one operation: data that its steps are compiled from. */
export interface OperationPlan {
  readonly name: string;
  readonly operation: Operation;
  readonly security: SecurityPolicy;
  /** The required scopes, as the header lists them. */
  readonly acceptedScopes: string;
  readonly resources: OperationResources;
  /** What the path references. */
  readonly pathReferences: readonly PathReference[];
  /** What the body can reference. */
  readonly bodyReferences: readonly PlannedReference[];
  readonly ceilings: readonly ScopeCeilingRule[];
  readonly grants: readonly Grant[];
  readonly limits: OperationLimits;
  /** Rates that the server counts before it decodes a request, and those that need decoded values. */
  readonly earlyRates: readonly CountedRate[];
  readonly lateRates: readonly CountedRate[];
  readonly states: readonly StateRule[];
  readonly mutability: readonly MutabilityRule[];
  readonly values: readonly FieldValues[];
  /** Fields that the platform completes after validation. */
  readonly completed: readonly FieldValues[];
  readonly mergedSchema: Check | undefined;
  readonly errorRules: readonly ErrorRule[];
  readonly errors: ErrorDefinitions;
  /** The headers of its responses, if it is deprecated. */
  readonly deprecation: DeprecationHeaders | undefined;
  /** True if the checked data must not change before the handler is done. */
  readonly isOrdered: boolean;
  /** True if the operation may change data. */
  readonly isLocking: boolean;
}

/** A reference of the path, with the grants that concern it. */
export type PathReference = OperationResources["path"][number] & ReferenceGrants;

/** A reference of the body, with values that are computed once instead of for each request. */
export interface PlannedReference extends BodyReference, ReferenceGrants {
  /** Its pointer as one text. */
  readonly key: string;
  readonly isMany: boolean;
}

/** Builds the plan of an operation from the tables of its description. */
export function createOperationPlan(operation: Operation, api: ServerDefinition): OperationPlan {
  const { name, method } = operation.definition;
  const grammar = api.scopeGrammar;
  const security = ownEntry(api.security, name);
  // A missing entry must not mean public access.
  if (security === undefined) throw new TypeError(`Missing security of operation ${name}. Generate the package again.`);
  const policy = securityPolicyOf(security, grammar);
  const resources = ownEntry(api.operationResources, name) ?? { path: [], body: [] };
  const grants = ownEntry(api.grants, name) ?? [];
  const plan = {
    name,
    operation,
    security: policy,
    acceptedScopes:
      policy.requiredScopes.length === 0
        ? (grammar?.all ?? "*")
        : policy.requiredScopes.join(grammar?.separator ?? ","),
    resources,
    pathReferences: resources.path.map((each) => ({ ...each, isOfPath: true, grants: grantsFor(grants, each) })),
    bodyReferences: resources.body.map((each) => planReference(each, grants)),
    ceilings: ownEntry(api.scopeCeilings, name) ?? [],
    grants,
    limits: ownEntry(api.limits, name) ?? {},
    states: ownEntry(api.stateRules, name) ?? [],
    mutability: ownEntry(api.mutability, name) ?? [],
    values: (ownEntry(api.valueRules, name) ?? []).filter(isComputedByServer),
    completed: (ownEntry(api.valueRules, name) ?? []).filter(isCompletedByPlatform),
    mergedSchema: ownEntry(api.mergedSchemas, name),
    errorRules: ownEntry(api.errorRules, name) ?? [],
    errors: ownEntry(api.errors, name) ?? api.sharedErrors,
    deprecation: api.deprecations && ownEntry(api.deprecations, name),
  };
  const { concurrency = [], unique = [], rates = [] } = plan.limits;
  const isLocking = method !== "GET" && method !== "HEAD";
  const isOrdered = isLocking && (concurrency.length > 0 || unique.length > 0 || plan.states.length > 0);
  const counted = {
    earlyRates: rates.filter(isCountedBeforeDecoding),
    lateRates: rates.filter((each) => !isCountedBeforeDecoding(each)),
  };
  return { ...plan, ...counted, isOrdered, isLocking };
}

function planReference(reference: BodyReference, grants: readonly Grant[]): PlannedReference {
  const key = reference.pointer.join("/");
  const isMany = reference.pointer.includes("*");
  return { ...reference, key, isMany, isOfPath: false, grants: grantsFor(grants, { key }) };
}

/** False if a field has only rules that leave the value to the handler. */
function isComputedByServer({ rules }: FieldValues): boolean {
  return rules.some(({ set, round, escape }) => {
    return round !== undefined || escape !== undefined || (set !== undefined && set.kind !== "platform");
  });
}

function isCompletedByPlatform({ rules, pointer }: FieldValues): boolean {
  return !pointer.includes("*") && rules.some(({ set }) => set?.kind === "platform");
}
