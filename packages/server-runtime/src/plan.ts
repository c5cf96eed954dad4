import type { Check, Operation } from "@plumbline/validator-runtime";
import { entryOf, type Ceiling, type RefusalRule, type ServedApi } from "./api.js";
import type { Change } from "./changes.js";
import type { Failures } from "./errors.js";
import { grantsAbout, type Grant, type GrantedReference } from "./grants.js";
import type { OperationLimits } from "./limits.js";
import { isEarly, type Rate } from "./rates.js";
import type { BodyReference, OperationResources } from "./resources.js";
import { gateOf, type Gate } from "./scopes.js";
import type { StateRule } from "./states.js";
import { stepsOf, type Step } from "./stored.js";
import type { FieldValues } from "./values.js";

/** Everything that the server checks for one operation. */
export interface Plan {
  readonly name: string;
  readonly operation: Operation;
  readonly gate: Gate;
  /** The required scopes, as the header lists them. */
  readonly accepted: string;
  readonly resources: OperationResources;
  /** What the path references. */
  readonly path: readonly PathReference[];
  /** What the body can reference, and the queries that load it. */
  readonly named: readonly NotedReference[];
  readonly kinds: readonly Kind[];
  readonly ceilings: readonly Ceiling[];
  readonly grants: readonly Grant[];
  readonly limits: OperationLimits;
  /** Rates that the server counts before it decodes a request, and those that need decoded values. */
  readonly earlyRates: readonly Rate[];
  readonly lateRates: readonly Rate[];
  readonly states: readonly StateRule[];
  readonly changes: readonly Change[];
  readonly values: readonly FieldValues[];
  /** Fields that the platform completes after validation. */
  readonly completed: readonly FieldValues[];
  readonly merged: Check | undefined;
  readonly refusals: readonly RefusalRule[];
  readonly failures: Failures;
  /** The checks against stored data, in their order. */
  readonly steps: readonly Step[];
  /** True if the checked data must not change before the handler is done. */
  readonly isOrdered: boolean;
  /** True if the operation may change data. */
  readonly isLocking: boolean;
}

/** A reference of the path, with the grants that concern it. */
export type PathReference = OperationResources["path"][number] & GrantedReference;

/** A reference of the body, with values that are computed once instead of for each request. */
export interface NotedReference extends BodyReference, GrantedReference {
  /** Its pointer as one text. */
  readonly key: string;
  readonly isMany: boolean;
}

/** References that one query loads: the same field of the same resource. `references` are indexes of the plan's references. */
export interface Kind {
  readonly to: string;
  readonly by: string;
  readonly references: readonly number[];
}

/** Builds the plan of an operation from the tables of its description. */
export function planOf(operation: Operation, api: ServedApi): Plan {
  const { name, method } = operation.definition;
  const grammar = api.grammar;
  const security = entryOf(api.security, name);
  // A missing entry must not mean public access.
  if (security === undefined) throw new TypeError(`Missing security of operation ${name}. Generate the package again.`);
  const gate = gateOf(security, grammar);
  const resources = entryOf(api.operationResources, name) ?? { path: [], body: [] };
  const grants = entryOf(api.grants, name) ?? [];
  const plan = {
    name,
    operation,
    gate,
    accepted: gate.wanted.length === 0 ? (grammar?.all ?? "*") : gate.wanted.join(grammar?.separator ?? ","),
    resources,
    path: resources.path.map((each) => ({ ...each, isOfPath: true, grants: grantsAbout(grants, each) })),
    named: resources.body.map((each) => notedOf(each, grants)),
    kinds: kindsOf(resources.body),
    ceilings: entryOf(api.ceilings, name) ?? [],
    grants,
    limits: entryOf(api.limits, name) ?? {},
    states: entryOf(api.states, name) ?? [],
    changes: entryOf(api.changes, name) ?? [],
    values: (entryOf(api.values, name) ?? []).filter(isOurs),
    completed: (entryOf(api.values, name) ?? []).filter(isPlatforms),
    merged: entryOf(api.merged, name),
    refusals: entryOf(api.refusals, name) ?? [],
    failures: entryOf(api.failures, name) ?? api.sharedFailures,
  };
  const { concurrency = [], unique = [], rates = [] } = plan.limits;
  const isLocking = method !== "GET" && method !== "HEAD";
  const isOrdered = isLocking && (concurrency.length > 0 || unique.length > 0 || plan.states.length > 0);
  const counted = { earlyRates: rates.filter(isEarly), lateRates: rates.filter((each) => !isEarly(each)) };
  const whole = { ...plan, ...counted, isOrdered, isLocking };
  return { ...whole, steps: stepsOf(whole) };
}

function notedOf(reference: BodyReference, grants: readonly Grant[]): NotedReference {
  const key = reference.pointer.join("/");
  const isMany = reference.pointer.includes("*");
  return { ...reference, key, isMany, isOfPath: false, grants: grantsAbout(grants, { key }) };
}

/** False if a field has only rules that leave the value to the handler. */
function isOurs({ rules }: FieldValues): boolean {
  return rules.some(({ take, round, escape }) => {
    return round !== undefined || escape !== undefined || (take !== undefined && take.kind !== "platform");
  });
}

function isPlatforms({ rules, pointer }: FieldValues): boolean {
  return !pointer.includes("*") && rules.some(({ take }) => take?.kind === "platform");
}

type Kindred = Pick<BodyReference, "to" | "by">;

function kindsOf(body: readonly BodyReference[]): readonly Kind[] {
  const isSame = (a: Kindred, b: Kindred) => a.to === b.to && a.by === b.by;
  const firsts = body.filter((each, index) => body.findIndex((other) => isSame(other, each)) === index);
  return firsts.map(({ to, by }) => ({
    to,
    by,
    references: body.flatMap((each, index) => (isSame(each, { to, by }) ? [index] : [])),
  }));
}
