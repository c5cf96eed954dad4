import { createActor } from "./identities.js";
import { bindVariable, performCall, performParallelCalls } from "./call-step.js";
import { provideFixture } from "./shared-fixtures.js";
import { SetupError, AssertionError, createStepContext, type StepContext } from "./step-context.js";
import type { CheckStep, CodeStep, Json, JsonSchema, RepeatStep, Step } from "../suite.js";
import { usesTime, evaluateTemplate } from "../values/template.js";

/**
 * Performs one step.
 *
 * @returns The value that it binds, or null.
 */
export async function performStep(step: Step, stage: StepContext): Promise<Json> {
  if (usesTime(step)) await stage.run.clock.refresh(stage);
  if ("call" in step) return performCall(step, stage);
  if ("make" in step) return bindVariable(step.as, await provideFixture(step, stage), stage);
  if ("actor" in step) return bindVariable(step.as, await createActor(step, stage), stage);
  if ("parallel" in step) return performParallelCalls(step, stage);
  if ("check" in step) return checkValueStep(step, stage);
  if ("repeat" in step) return repeatSteps(step, stage);
  if ("code" in step) return runScenario(step, stage);
  if ("advance" in step) return done(stage.run.clock.advance(step.advance, stage));
  if ("settle" in step) return done(stage.run.clock.settle(stage));
  return done(stage.run.clock.hold(step.hold, stage));
}

function checkValueStep(step: CheckStep, stage: StepContext): Json {
  const value = evaluateTemplate(step.check, stage.values);
  const schema = evaluateTemplate(step.matches, stage.values) as JsonSchema;
  const requirements = step.requirements ?? stage.requirements;
  const differences = stage.run.schemas.validate(schema, value).map((each) => ({
    message: step.message === undefined ? `${each.message}.` : `${step.message} ${each.message}.`,
    expected: each.expected,
    received: each.received,
    requirements,
  }));
  if (!stage.isSetup) stage.log.hasAssertions = true;
  if (differences.length > 0) throw stage.isSetup ? new SetupError(differences) : new AssertionError(differences);
  return null;
}

async function repeatSteps(step: RepeatStep, stage: StepContext): Promise<Json> {
  const outer = stage.variables.get("index");
  for (let index = 0; index < step.times; index++) {
    stage.variables.set("index", index);
    for (const each of step.repeat) await performStep(each, stage);
  }
  if (outer === undefined) stage.variables.delete("index");
  else stage.variables.set("index", outer);
  return null;
}

async function runScenario(step: CodeStep, stage: StepContext): Promise<Json> {
  const scenario = stage.run.options.scenarios?.[step.code];
  if (scenario === undefined)
    throw new Error(`Missing scenario ${step.code}. Pass it to the run in the option "scenarios".`);
  const given = Object.entries(step.inputs ?? {}).map(
    ([name, each]) => [name, evaluateTemplate(each, stage.values)] as const,
  );
  const inner = createStepContext(stage);
  const value = await scenario({
    inputs: Object.fromEntries(given),
    runStep: (each) => performStep(each, inner),
    reportFailure: (difference) => {
      const requirements = difference.requirements.length > 0 ? difference.requirements : stage.requirements;
      stage.reportFailure({ ...difference, requirements });
    },
    signal: stage.run.signal,
    onEnd: stage.onEnd,
  });
  if (!stage.isSetup) stage.log.hasAssertions = true;
  return bindVariable(step.as, value, stage);
}

async function done(work: Promise<void>): Promise<null> {
  await work;
  return null;
}
