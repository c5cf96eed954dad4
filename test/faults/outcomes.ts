import type { Case, CaseResult, RunReport, Suite } from "@plumbline/conformance-runtime";
import type { Fault } from "./fault.js";

/** The result of a fault's cases. */
export interface FaultOutcome {
  readonly fault: Fault;
  /** True when a case fails that passes without the fault. */
  readonly detected: boolean;
  /** True when a difference is attributed to a requirement that the fault breaks. */
  readonly attributed: boolean;
  /** The failed cases, with the requirements of their differences. */
  readonly failed: readonly { readonly id: string; readonly requirements: readonly string[] }[];
  readonly cases: number;
  readonly errors: number;
  readonly requests: number;
  /** Seconds, including the start of the service. */
  readonly durationSeconds: number;
  /** Why there is no result. */
  readonly error?: string;
}

/** A requirement with more cases applies to nearly every operation, so its cases are not run. */
const maxCasesPerRequirement = 40;

/** The cases of a fault: those of its operation, and those of the requirements that it breaks. */
export function casesForFault({ operation, requirements }: Fault, { cases }: Pick<Suite, "cases">): readonly Case[] {
  const { places, byOperation, byRequirement } = indexOf(cases);
  const others = requirements.flatMap((requirement) => {
    const found = byRequirement.get(requirement) ?? [];
    return found.length > maxCasesPerRequirement ? [] : found;
  });
  const wanted = new Set([...(byOperation.get(operation) ?? []), ...others]);
  return [...wanted].toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** The cases of a fault in two stages: first those of its operation that test a broken requirement, then the others. */
export function caseStages(fault: Fault, suite: Pick<Suite, "cases">): readonly (readonly Case[])[] {
  const broken = new Set(fault.requirements);
  const isLikely = ({ operation, requirements }: Case): boolean =>
    operation === fault.operation && requirements.some((each) => broken.has(each));
  const cases = casesForFault(fault, suite);
  const parts = [cases.filter(isLikely), cases.filter((each) => !isLikely(each))];
  return parts.filter((part) => part.length > 0);
}

interface CaseIndex {
  readonly places: ReadonlyMap<Case, number>;
  readonly byOperation: ReadonlyMap<string, readonly Case[]>;
  readonly byRequirement: ReadonlyMap<string, readonly Case[]>;
}

const indexes = new WeakMap<readonly Case[], CaseIndex>();

/** Built once for the thousands of cases of a suite. */
function indexOf(cases: readonly Case[]): CaseIndex {
  const known = indexes.get(cases);
  if (known !== undefined) return known;
  const index: CaseIndex = {
    places: new Map(cases.map((each, place) => [each, place])),
    byOperation: grouped(cases, ({ operation }) => [operation]),
    byRequirement: grouped(cases, ({ requirements }) => new Set(requirements)),
  };
  indexes.set(cases, index);
  return index;
}

function grouped(
  cases: readonly Case[],
  keysOf: (each: Case) => Iterable<string>,
): ReadonlyMap<string, readonly Case[]> {
  const groups = new Map<string, Case[]>();
  for (const each of cases)
    for (const key of keysOf(each)) {
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push(each);
    }
  return groups;
}

/** Evaluates a run with a fault, given the cases that pass without it. */
export function evaluateOutcome(
  fault: Fault,
  report: Pick<RunReport, "results" | "requests">,
  passing: ReadonlySet<string>,
): Omit<FaultOutcome, "durationSeconds"> {
  const found = report.results.filter((each) => each.status === "fail" && passing.has(each.case.id));
  return {
    fault,
    detected: found.length > 0,
    attributed: found.some((each) => isAttributed(each, fault)),
    failed: found.map((each) => ({ id: each.case.id, requirements: requirementsOf(each) })),
    cases: report.results.length,
    errors: report.results.filter((each) => each.status === "error").length,
    requests: report.requests,
  };
}

/** True when a difference of a case is attributed to a requirement that the fault breaks. */
export function isAttributed(result: CaseResult, fault: Fault): boolean {
  const broken = new Set(fault.requirements);
  return requirementsOf(result).some((each) => broken.has(each));
}

/** A row of the matrix. */
export interface OutcomeSum {
  readonly faults: number;
  readonly detected: number;
  readonly attributed: number;
  readonly requests: number;
  readonly durationSeconds: number;
}

export function sumOutcomes(outcomes: readonly FaultOutcome[]): OutcomeSum {
  const total = (of: (outcome: FaultOutcome) => number): number => outcomes.reduce((sum, each) => sum + of(each), 0);
  return {
    faults: outcomes.length,
    detected: total((each) => Number(each.detected)),
    attributed: total((each) => Number(each.attributed)),
    requests: total((each) => each.requests),
    durationSeconds: total((each) => each.durationSeconds),
  };
}

/** The required shares of faults. */
export const matrixGoals = { detected: 0.98, attributed: 0.9 } as const;

/** The missed goals of a suite. Empty when it meets them. */
export function shortfalls({ faults, detected, attributed }: OutcomeSum, alarms: readonly string[]): readonly string[] {
  const short = (what: keyof typeof matrixGoals, count: number): readonly string[] =>
    count >= matrixGoals[what] * faults
      ? []
      : [`${count} of ${faults} faults are ${what}, less than ${matrixGoals[what] * 100} %`];
  return [
    ...(faults === 0 ? ["no fault was run"] : []),
    ...short("detected", detected),
    ...short("attributed", attributed),
    ...(alarms.length === 0 ? [] : [`${alarms.length} cases fail without a fault: ${alarms.slice(0, 10).join(", ")}`]),
  ];
}

function requirementsOf({ failures }: CaseResult): readonly string[] {
  return [...new Set(failures.flatMap((each) => each.requirements))];
}
