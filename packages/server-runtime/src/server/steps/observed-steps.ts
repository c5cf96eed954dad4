import { isPromiseLike } from "../handlers.js";
import type { StepName } from "../observe/observe.js";
import { firstInTurn } from "../request/in-turn.js";
import type { Step } from "./step.js";

/** A compiled step with its name. */
export interface NamedStep {
  readonly name: StepName;
  readonly step: Step;
}

/** Steps that tell the observers of a request when they have ended. Steps of one name that follow each other are one. */
export function observedSteps(steps: readonly NamedStep[]): readonly Step[] {
  const groups: { readonly name: StepName; readonly steps: Step[] }[] = [];
  for (const { name, step } of steps) {
    const last = groups.at(-1);
    if (last?.name === name) last.steps.push(step);
    else groups.push({ name, steps: [step] });
  }
  return groups.map(({ name, steps: [...all] }) =>
    observedStep(name, (evaluation) => firstInTurn<Step, void>(all, (step) => step(evaluation))),
  );
}

function observedStep(name: StepName, step: Step): Step {
  return (evaluation) => {
    const { observation } = evaluation.request;
    if (observation?.hasStepObservers !== true) return step(evaluation);
    const start = performance.now();
    const ended = (isPassed: boolean): void =>
      observation.step({ name, durationMs: performance.now() - start, isPassed });
    const failed = (error: unknown): never => {
      ended(false);
      throw error;
    };
    try {
      const running = step(evaluation);
      if (isPromiseLike(running)) return running.then(() => ended(true), failed);
    } catch (error) {
      failed(error);
    }
    return ended(true);
  };
}
