/** The budget for the overlays of one description. It counts steps instead of time, so that every machine gets the same result. */
export interface StepBudget {
  /**
   * Spends steps: visited or compared nodes, or matched characters.
   * @throws An StepBudgetExceededError if no steps remain.
   */
  readonly spend: (steps: number) => void;
  /** Adds the allowance for a text of this length, in characters. */
  readonly grow: (characters: number) => void;
}

/** No steps remain. */
export class StepBudgetExceededError extends Error {
  override readonly name = "StepBudgetExceededError";
}

/** Steps for any description, about a second. */
const baseSteps = 1_000_000;

/** Steps for each character of a description. A traversal of all nodes takes a third of a step per character. */
const stepsPerCharacter = 2;

export function createStepBudget(): StepBudget {
  let remainingSteps = baseSteps;
  return {
    spend: (steps) => {
      remainingSteps -= steps;
      if (remainingSteps < 0) throw new StepBudgetExceededError();
    },
    grow: (characters) => {
      remainingSteps += characters * stepsPerCharacter;
    },
  };
}

/** Returns the number of children of a value. */
export function countChildren(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}
