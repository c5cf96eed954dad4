/** What the overlays of one description may cost. It is counted and not timed, so that every machine gives the same answer. */
export interface Effort {
  /** Throws an EffortError when no steps are left. A step is a node that is looked at or compared, or a character that is matched. */
  readonly spend: (steps: number) => void;
  /** Adds what may be spent on a text of so many characters. */
  readonly allow: (characters: number) => void;
}

/** The steps are used up. */
export class EffortError extends Error {}

/** Steps on any description; about a second. */
const usualSteps = 1_000_000;

/** Steps on each character of a description: a walk over all of it takes a third of one. */
const stepsPerCharacter = 2;

export function effortOf(): Effort {
  let left = usualSteps;
  return {
    spend: (steps) => {
      left -= steps;
      if (left < 0) throw new EffortError();
    },
    allow: (characters) => {
      left += characters * stepsPerCharacter;
    },
  };
}

/** How many nodes are directly inside a value. */
export function widthOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}
