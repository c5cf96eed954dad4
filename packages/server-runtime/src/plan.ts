import type { Check, Operation } from "@plumbline/validator-runtime";
import type { Ceiling, RefusalRule, ServedApi } from "./api.js";
import type { Change } from "./changes.js";
import type { Failures } from "./errors.js";
import type { Grant } from "./grants.js";
import type { OperationLimits } from "./limits.js";
import type { BodyReference, OperationResources, Reference } from "./resources.js";
import { gateOf, type Gate } from "./scopes.js";
import type { StateRule } from "./states.js";
import { stepsOf, type Step } from "./steps.js";
import type { FieldValues } from "./values.js";

/** Everything that is asked of one operation. */
export interface Plan {
  readonly name: string;
  readonly operation: Operation;
  readonly gate: Gate;
  /** The scopes that are wanted, as a header names them. */
  readonly accepted: string;
  readonly resources: Omit<OperationResources, "body"> & { readonly body: readonly NotedReference[] };
  readonly ceilings: readonly Ceiling[];
  readonly grants: readonly Grant[];
  readonly limits: OperationLimits;
  readonly states: readonly StateRule[];
  readonly changes: readonly Change[];
  readonly values: readonly FieldValues[];
  readonly merged: Check | undefined;
  readonly refusals: readonly RefusalRule[];
  readonly failures: Failures;
  /** What is judged by what is stored, in this order. */
  readonly steps: readonly Step[];
  /** The references of the body by what they name: each kind is asked for once. */
  readonly kinds: readonly Kind[];
  /** True where what is judged has to stay so until the handler is done. */
  readonly isOrdered: boolean;
  /** True where something may be changed. */
  readonly isLocking: boolean;
}

/** A reference of the body, and under which pointer its rows are noted. */
export interface NotedReference extends BodyReference {
  readonly key: string;
  readonly isMany: boolean;
}

/** What is named by one field of one resource, by the places of its references. */
interface Kind {
  readonly to: string;
  readonly by: string;
  readonly references: readonly number[];
}

/** The plan of an operation, out of the tables of its description. */
export function planOf(operation: Operation, api: ServedApi): Plan {
  const { name, method } = operation.definition;
  const grammar = api.grammar;
  const gate = gateOf(api.security[name] ?? [], grammar);
  const resources = api.operationResources[name] ?? { path: [], body: [] };
  const body = resources.body.map((each) => ({
    ...each,
    key: each.pointer.join("/"),
    isMany: each.pointer.includes("*"),
  }));
  const plan = {
    name,
    operation,
    gate,
    accepted: gate.wanted.length === 0 ? (grammar?.all ?? "*") : gate.wanted.join(grammar?.separator ?? ","),
    resources: { ...resources, body },
    kinds: kindsOf(body),
    ceilings: api.ceilings[name] ?? [],
    grants: api.grants[name] ?? [],
    limits: api.limits[name] ?? {},
    states: api.states[name] ?? [],
    changes: api.changes[name] ?? [],
    values: (api.values[name] ?? []).filter(isOurs),
    merged: api.merged[name],
    refusals: api.refusals[name] ?? [],
    failures: api.failures[name] ?? api.sharedFailures,
  };
  const { concurrency = [], unique = [] } = plan.limits;
  const isLocking = method !== "GET" && method !== "HEAD";
  return {
    ...plan,
    steps: stepsOf(plan),
    isOrdered: isLocking && (concurrency.length > 0 || unique.length > 0 || plan.states.length > 0),
    isLocking,
  };
}

/** False where all that is said of a field is that the handler finds its value. */
function isOurs({ rules }: FieldValues): boolean {
  return rules.some(({ take, round, escape }) => {
    return round !== undefined || escape !== undefined || (take !== undefined && take.kind !== "platform");
  });
}

type Kindred = Pick<Reference, "to" | "by">;

function kindsOf(body: readonly NotedReference[]): readonly Kind[] {
  const isSame = (a: Kindred, b: Kindred) => a.to === b.to && a.by === b.by;
  const firsts = body.filter((each, index) => body.findIndex((other) => isSame(other, each)) === index);
  return firsts.map(({ to, by }) => ({
    to,
    by,
    references: body.flatMap((each, index) => (isSame(each, { to, by }) ? [index] : [])),
  }));
}
