import { maxRequestsInWindow } from "../http/request-throttle.js";
import type { RunContext } from "../run/run-context.js";
import type { Case, Step } from "../suite.js";
import { addDuration } from "../values/add-duration.js";
import { countCalls, type CountedCalls } from "./count-calls.js";

/**
 * Estimates how many seconds cases will wait, for rate limits and for time to pass. Undefined when they do not wait, or when the clock can be advanced. A limit
 * that several operations share counts the calls of all of them. It does not count the requests of coded scenarios.
 */
export function estimateWaitSeconds(
  run: Pick<RunContext, "suite" | "capabilities" | "clock">,
  cases: readonly Case[],
  workers: number,
): number | undefined {
  if (run.clock.isControlled) return undefined;
  const able = cases.filter(({ requires }) => requires.every((need) => run.capabilities.has(need)));
  const pauses = able.reduce((sum, { steps }) => sum + pauseSeconds(run, steps), 0);
  const longest = pauses + longestWaitSeconds(countCalls(run, cases), workers);
  return longest > 0 ? longest : undefined;
}

/** Seconds in which steps of cases that run alone send nothing. */
function pauseSeconds(run: Pick<RunContext, "capabilities">, steps: readonly Step[]): number {
  return steps.reduce((sum, step) => {
    if ("repeat" in step) return sum + step.times * pauseSeconds(run, step.repeat);
    if ("advance" in step) return sum + addDuration(0, step.advance) / 1000;
    // The worker's user stands in: the limit has to forget its requests before the case, and those of the case after it.
    if ("actor" in step && !run.capabilities.has("users")) return sum + 2 * (step.idleSeconds ?? 0);
    return sum;
  }, 0);
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
