import type { AdvanceStep, Case } from "@plumbline/conformance-runtime";

/** Steps to both sides of the end of a period. */
export interface AroundEnd {
  /** To a moment before its end. */
  readonly near: AdvanceStep;
  /** From there to a second after its end. */
  readonly over: AdvanceStep;
  /** From there on, as long again. */
  readonly beyond: AdvanceStep;
}

/**
 * Steps around the end of a period. Servers may store whole seconds, so that a period ends up to one earlier. The margin has four more for
 * the requests of the case, and more for jobs that move the clock.
 */
export function aroundEnd(seconds: number, jobSeconds = 0): AroundEnd {
  const margin = marginSeconds + jobSeconds;
  return {
    near: { advance: `PT${seconds - margin}S` },
    over: { advance: `PT${margin + 1}S` },
    beyond: { advance: `PT${seconds}S` },
  };
}

/** A case that tests a moment before the end of a period: a failure proves nothing if its requests took too long. */
export function nearEnd(each: Case): Case {
  return { ...each, exclusive: true, windowSeconds: marginSeconds - 1 };
}

const marginSeconds = 5;
