import type { CleanupContext } from "../cleanup/cleanup-context.js";
import { fixtureRunner } from "./run-fixture.js";
import type { StepContext } from "./step-context.js";

/** The context for the cleanup of a case, or of a worker. */
export function createCleanupContext(context: StepContext): CleanupContext {
  const { run, worker, log } = context.caseContext;
  const { target, throttle, createdObjects, controlIds, clock, timer } = run;
  const jobs = {
    isControlled: clock.isControlled,
    settle: () => clock.settle(fixtureRunner(context)),
    wait: (milliseconds: number) => timer.wait(milliseconds),
  };
  return { target, throttle, createdObjects, controlIds, worker, log, jobs };
}
