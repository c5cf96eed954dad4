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

/** Everything that is asked of one operation. */
export interface Plan {
  readonly name: string;
  readonly operation: Operation;
  readonly gate: Gate;
  /** The scopes that are wanted, as a header names them. */
  readonly accepted: string;
  readonly resources: OperationResources;
  /** What the path names. */
  readonly path: readonly PathReference[];
  /** What the body can name, and how it is asked for. */
  readonly named: readonly NotedReference[];
  readonly kinds: readonly Kind[];
  readonly ceilings: readonly Ceiling[];
  readonly grants: readonly Grant[];
  readonly limits: OperationLimits;
  /** What is counted before anything is decoded, and what by what was. */
  readonly earlyRates: readonly Rate[];
  readonly lateRates: readonly Rate[];
  readonly states: readonly StateRule[];
  readonly changes: readonly Change[];
  readonly values: readonly FieldValues[];
  /** Of what the platform completes after a request was judged. */
  readonly completed: readonly FieldValues[];
  readonly merged: Check | undefined;
  readonly refusals: readonly RefusalRule[];
  readonly failures: Failures;
  /** What is judged by what is stored. */
  readonly steps: readonly Step[];
  /** True where what is judged has to stay so until the handler is done. */
  readonly isOrdered: boolean;
  /** True where something may be changed. */
  readonly isLocking: boolean;
}

/** A reference of the path, with the grants that are about it. */
export type PathReference = OperationResources["path"][number] & GrantedReference;

/** A reference of the body, with what would be worked out for each request. */
export interface NotedReference extends BodyReference, GrantedReference {
  /** Its pointer as one text. */
  readonly key: string;
  readonly isMany: boolean;
}

/** What is named by one field of one resource, by the places of its references. */
export interface Kind {
  readonly to: string;
  readonly by: string;
  readonly references: readonly number[];
}

/** The plan of an operation, out of the tables of its description. */
export function planOf(operation: Operation, api: ServedApi): Plan {
  const { name, method } = operation.definition;
  const grammar = api.grammar;
  const security = entryOf(api.security, name);
  // Forgotten is not the same as open to all.
  if (security === undefined) throw new TypeError(`security: nothing is said of ${name}`);
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

/** False where all that is said of a field is that the handler finds its value. */
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
