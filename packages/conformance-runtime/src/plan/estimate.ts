import { maxRequestsInWindow } from "../http/request-throttle.js";
import type { RunContext } from "../run/run-context.js";
import type { Case } from "../suite.js";
import { countCalls, type CountedCalls } from "./count-calls.js";

/**
 * Estimates how many seconds cases will wait for rate limits. Undefined when they do not wait, or when the clock can be advanced. A limit
 * that several operations share counts the calls of all of them. It does not count the requests of coded scenarios.
 */
export function estimateWaitSeconds(
  run: Pick<RunContext, "suite" | "capabilities" | "clock">,
  cases: readonly Case[],
  workers: number,
): number | undefined {
  if (run.clock.isControlled) return undefined;
  const longest = longestWaitSeconds(countCalls(run, cases), workers);
  return longest > 0 ? longest : undefined;
}

/** Seconds that a run waits to stay below all rate limits. */
export function longestWaitSeconds(
  { own, shared, rates }: Pick<CountedCalls, "own" | "shared" | "rates">,
  workers: number,
): number {
  const waits = [...rates].map(([key, those]) => {
    const calls = Math.ceil((own.get(key) ?? 0) / workers) + (shared.get(key) ?? 0);
    return Math.max(
      ...those.map((rate) => Math.floor(Math.max(0, calls - 1) / maxRequestsInWindow(rate)) * rate.seconds),
    );
  });
  // While cases wait for one limit, the windows of the others pass too.
  return Math.max(0, ...waits);
}
