import { createRequire } from "node:module";
import type { checkSync as check } from "recheck";
import { isLinear } from "./backtracking.js";

/** How the time grows with the length of a hostile text. `undefined` if it is linear. */
export interface MatchingCost {
  readonly description: string;
  readonly steps: (length: number) => number;
}

const costByPattern = new Map<string, MatchingCost | undefined>();

// Without clocks, so that every machine gets the same result. The limits are a third of the library's defaults.
const recheckLimits = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  attackLimit: 1_000_000,
  incubationLimit: 2500,
  maxIteration: 3,
};

/**
 * Returns the growth of a pattern. Cached: most patterns are proven linear in a millisecond, but the search for an
 * attack takes up to three seconds.
 */
export function matchingCost(pattern: string): MatchingCost | undefined {
  if (costByPattern.has(pattern)) return costByPattern.get(pattern);
  const isHarmless = !/[*+}]/.test(pattern) || isLinear(pattern); // without repetitions, there is nothing to retry
  const answer = isHarmless ? undefined : measureCost(pattern);
  costByPattern.set(pattern, answer);
  return answer;
}

function measureCost(pattern: string): MatchingCost | undefined {
  // Loaded on demand because of its size. The pure JavaScript build, because the main file uses a Java or native program if it finds one,
  // and results differ.
  const { checkSync } = createRequire(import.meta.url)("recheck/lib/browser.js") as {
    readonly checkSync: typeof check;
  };
  const result = checkSync(pattern, "u", recheckLimits);
  if (result.status !== "vulnerable") return undefined;
  if (result.complexity.type === "exponential")
    return { description: "doubles with every few characters", steps: () => Number.POSITIVE_INFINITY };
  const { degree } = result.complexity;
  return { description: `grows with the length to the power of ${degree}`, steps: (length) => length ** degree };
}
