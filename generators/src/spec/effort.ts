/** The budget for the overlays of one description. It counts steps instead of time, so that every machine gets the same result. */
export interface Effort {
  /**
   * Spends steps: visited or compared nodes, or matched characters.
   * @throws An EffortError if no steps remain.
   */
  readonly spend: (steps: number) => void;
  /** Adds the allowance for a text of this length, in characters. */
  readonly allow: (characters: number) => void;
}

/** No steps remain. */
export class EffortError extends Error {}

/** Steps for any description, about a second. */
const usualSteps = 1_000_000;

/** Steps for each character of a description. A traversal of all nodes takes a third of a step per character. */
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

/** Returns the number of children of a value. */
export function widthOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}
