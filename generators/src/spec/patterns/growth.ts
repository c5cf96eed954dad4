import { createRequire } from "node:module";
import type { checkSync as check } from "recheck";
import { isLinear } from "./backtracking.js";

/** How the time grows with the length of a hostile text; undefined when it grows in proportion. */
export interface Growth {
  readonly words: string;
  readonly steps: (length: number) => number;
}

const judged = new Map<string, Growth | undefined>();

// Without clocks, so that every machine gives the same answer. The limits are a third of the library's own.
const effort = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  attackLimit: 1_000_000,
  incubationLimit: 2500,
  maxIteration: 3,
};

/** A pattern is judged once: most are proven harmless in a millisecond, but the search for an attack takes up to three seconds. */
export function growthOf(pattern: string): Growth | undefined {
  if (judged.has(pattern)) return judged.get(pattern);
  const isHarmless = !/[*+}]/.test(pattern) || isLinear(pattern); // without a repetition there is nothing to retry
  const answer = isHarmless ? undefined : measure(pattern);
  judged.set(pattern, answer);
  return answer;
}

function measure(pattern: string): Growth | undefined {
  // Loaded only here, for it is large; and the pure JavaScript build, since the main file looks for a Java or a native
  // program, and answers by what it finds.
  const { checkSync } = createRequire(import.meta.url)("recheck/lib/browser.js") as {
    readonly checkSync: typeof check;
  };
  const result = checkSync(pattern, "u", effort);
  if (result.status !== "vulnerable") return undefined;
  if (result.complexity.type === "exponential")
    return { words: "doubles with every few characters", steps: () => Number.POSITIVE_INFINITY };
  const { degree } = result.complexity;
  return { words: `grows with the length to the power of ${degree}`, steps: (length) => length ** degree };
}
