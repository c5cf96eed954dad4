import { MissingCapabilityError, SetupError } from "../errors.js";
import type { Step } from "../suite.js";
import { UnavailableValueError } from "../values/template.js";
import type { StepContext } from "./step-context.js";

/** Performs steps that prepare something, up to one that fails or that the run cannot perform. True if all were performed. */
export async function attemptSteps(steps: readonly Step[], context: StepContext): Promise<boolean> {
  try {
    for (const step of steps) await context.performStep(step, context);
    return true;
  } catch (error) {
    const isExpected =
      error instanceof SetupError || error instanceof MissingCapabilityError || error instanceof UnavailableValueError;
    if (!isExpected) throw error;
    return false;
  }
}
