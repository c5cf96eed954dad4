import type { AdvanceStep, Case, Step } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../../context/context.js";
import { fixturesOf } from "../../requests/fixtures.js";

/** Steps to both sides of the end of a period. */
export interface AroundEnd {
  /** To a moment before its end. */
  readonly near: AdvanceStep;
  /** From there to a second after its end. */
  readonly over: AdvanceStep;
  /** From there on, as long again. */
  readonly beyond: AdvanceStep;
  /** The case with these steps: a failure proves nothing if its requests took too long. */
  readonly inTime: (each: Case) => Case;
}

/**
 * Steps around the end of a period, after steps that begin it. Servers may store whole seconds, so that it ends up to one earlier; the rest of
 * the margin is for the requests of the case. Jobs of the platform move the clock by an unknown time, less than a minute.
 */
export function aroundEnd(context: ConformanceContext, seconds: number, begin: readonly Step[] = []): AroundEnd {
  const fixtures = fixturesOf(context);
  const runsJobs = (step: Step): boolean =>
    "settle" in step || ("make" in step && fixtures[step.make]?.steps.some(runsJobs) === true);
  const hasJobs = begin.some(runsJobs);
  const margin = hasJobs ? 60 : Math.min(Math.max(Math.ceil(seconds / 100), 5), 15);
  return {
    near: { advance: `PT${seconds - margin}S` },
    over: { advance: `PT${margin + 1}S` },
    beyond: { advance: `PT${seconds}S` },
    inTime: (each) => (hasJobs ? each : { ...each, exclusive: true, windowSeconds: margin - 1 }),
  };
}
