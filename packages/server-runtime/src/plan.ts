import type { Check, Operation } from "@plumbline/validator-runtime";
import { entryOf, type Ceiling, type RefusalRule, type ServedApi } from "./api.js";
import type { Change } from "./changes.js";
import type { Failures } from "./errors.js";
import type { Grant } from "./grants.js";
import type { OperationLimits } from "./limits.js";
import type { OperationResources } from "./resources.js";
import { gateOf, type Gate } from "./scopes.js";
import type { StateRule } from "./states.js";
import type { FieldValues } from "./values.js";

/** Everything that is asked of one operation. */
export interface Plan {
  readonly name: string;
  readonly operation: Operation;
  readonly gate: Gate;
  /** The scopes that are wanted, as a header names them. */
  readonly accepted: string;
  readonly resources: OperationResources;
  readonly ceilings: readonly Ceiling[];
  readonly grants: readonly Grant[];
  readonly limits: OperationLimits;
  readonly states: readonly StateRule[];
  readonly changes: readonly Change[];
  readonly values: readonly FieldValues[];
  readonly merged: Check | undefined;
  readonly refusals: readonly RefusalRule[];
  readonly failures: Failures;
  /** True where nothing is judged by what is stored. */
  readonly isPlain: boolean;
  /** True where what is judged has to stay so until the handler is done. */
  readonly isOrdered: boolean;
  /** True where something may be changed. */
  readonly isLocking: boolean;
}

/** The plan of an operation, out of the tables of its description. */
export function planOf(operation: Operation, api: ServedApi): Plan {
  const { name, method } = operation.definition;
  const grammar = api.grammar;
  const gate = gateOf(entryOf(api.security, name) ?? [], grammar);
  const plan = {
    name,
    operation,
    gate,
    accepted: gate.wanted.length === 0 ? (grammar?.all ?? "*") : gate.wanted.join(grammar?.separator ?? ","),
    resources: entryOf(api.operationResources, name) ?? { path: [], body: [] },
    ceilings: entryOf(api.ceilings, name) ?? [],
    grants: entryOf(api.grants, name) ?? [],
    limits: entryOf(api.limits, name) ?? {},
    states: entryOf(api.states, name) ?? [],
    changes: entryOf(api.changes, name) ?? [],
    values: entryOf(api.values, name) ?? [],
    merged: entryOf(api.merged, name),
    refusals: entryOf(api.refusals, name) ?? [],
    failures: entryOf(api.failures, name) ?? api.sharedFailures,
  };
  const { concurrency = [], unique = [] } = plan.limits;
  const isLocking = method !== "GET" && method !== "HEAD";
  return {
    ...plan,
    isPlain: isNothing(plan) && concurrency.length === 0 && unique.length === 0,
    isOrdered: isLocking && (concurrency.length > 0 || unique.length > 0 || plan.states.length > 0),
    isLocking,
  };
}

type Asked = Pick<Plan, "resources" | "ceilings" | "grants" | "states" | "changes" | "values" | "merged" | "refusals">;

function isNothing({ resources, ceilings, grants, states, changes, values, merged, refusals }: Asked): boolean {
  const { path, body, target, list } = resources;
  const lists = [path, body, ceilings, grants, states, changes, values, refusals];
  return lists.every((each) => each.length === 0) && target === undefined && list === undefined && merged === undefined;
}
