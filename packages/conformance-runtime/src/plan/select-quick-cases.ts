import type { RunContext } from "../run/run-context.js";
import type { Case, CaseKind, Step } from "../suite.js";
import { addTo, allRequests, countCalls, type CallCounts } from "./count-calls.js";
import { longestWaitSeconds } from "./estimate.js";

export interface QuickPlan {
  readonly run: Pick<RunContext, "suite" | "capabilities" | "clock">;
  /** The selected cases of the run. */
  readonly cases: readonly Case[];
  readonly workers: number;
  /** How long the run may take. */
  readonly seconds: number;
  /** Milliseconds of a request. */
  readonly requestMs: number;
}

/**
 * Chooses the cases of a quick run: as many requirements as fit into its time, those of security and loss of data first and twice, with as
 * few requests as possible. Objects that cases share are counted once.
 */
export function selectQuickCases(plan: QuickPlan): readonly Case[] {
  const { run, cases } = plan;
  const runnable = cases.filter(({ requires }) => requires.every((need) => run.capabilities.has(need)));
  const costs = new Map(runnable.map((each) => [each, costOf(each, plan)] as const));
  const cheapest = runnable.toSorted((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0));
  const budget = createBudget(plan);
  const chosen = new Set<Case>();
  const counts = new Map<string, number>();
  for (const depth of [1, 2])
    for (const isUrgent of depth === 1 ? [true, false] : [true])
      for (const each of cheapest) {
        if (isUrgentCase(each) !== isUrgent || chosen.has(each)) continue;
        const subjects = subjectsOf(each);
        if (!subjects.some((id) => (counts.get(id) ?? 0) < depth) || !budget.spend(each)) continue;
        chosen.add(each);
        for (const id of subjects) addTo(counts, id, 1);
      }
  return cases.filter((each) => chosen.has(each));
}

/** What a case tests: requirements, or else its kind of checks of its operation. */
function subjectsOf({ requirements, operation, kind }: Case): readonly string[] {
  return requirements.length > 0 ? requirements : [`${operation} ${kind}`];
}

/** Kinds of checks of what harms users most: access, limits, and loss of data. */
const urgentKinds: ReadonlySet<CaseKind> = new Set([
  "security",
  "scopes",
  "grants",
  "resources",
  "visible",
  "limits",
  "effects",
  "references",
  "states",
]);

/** True for a case that a quick run executes before others. */
export function isUrgentCase({ kind }: Case): boolean {
  return urgentKinds.has(kind);
}

/** Seconds that a platform may need until a response is as expected, when its jobs cannot be run at once. */
const secondsUntilExpected = 5;

/** Seconds of a case by itself. */
function costOf(each: Case, { run, requestMs }: QuickPlan): number {
  const { own, shared } = countCalls(run, [each]);
  const requests = (own.get(allRequests) ?? 0) + (shared.get(allRequests) ?? 0);
  return (requests * requestMs) / 1000 + waitOf(each.steps, run.clock.isControlled);
}

function waitOf(steps: readonly Step[], isControlled: boolean): number {
  if (isControlled) return 0;
  return steps.reduce((sum, step) => {
    if ("repeat" in step) return sum + step.times * waitOf(step.repeat, isControlled);
    return sum + ("call" in step && step.until === true ? secondsUntilExpected : 0);
  }, 0);
}

/** The time of a run, spent by its cases. */
function createBudget({ run, workers, seconds, requestMs }: QuickPlan): { spend: (each: Case) => boolean } {
  const created = new Set<string>();
  const total = { own: new Map<string, number>(), shared: new Map<string, number>(), rates: new Map(), waits: 0 };

  return {
    spend(each) {
      const calls = countCalls(run, [each], created);
      const own = sumOf(total.own, calls.own);
      const shared = sumOf(total.shared, calls.shared);
      const rates = new Map([...total.rates, ...calls.rates]);
      const waits = total.waits + waitOf(each.steps, run.clock.isControlled);
      const requests = (own.get(allRequests) ?? 0) / workers + (shared.get(allRequests) ?? 0);
      const waiting = run.clock.isControlled ? 0 : longestWaitSeconds({ own, shared, rates }, workers);
      if (waiting + (requests * requestMs) / 1000 + waits / workers > seconds) return false;
      Object.assign(total, { own, shared, rates, waits });
      for (const key of calls.created) created.add(key);
      return true;
    },
  };
}

function sumOf(one: CallCounts, other: CallCounts): CallCounts {
  const sum = new Map(one);
  for (const [key, count] of other) addTo(sum, key, count);
  return sum;
}
