import { AssertionError, SetupError } from "../errors.js";
import type { CheckStep, CodeStep, Json, JsonSchema, RepeatStep, Step } from "../suite.js";
import { evaluateTemplate, usesTime } from "../values/template.js";
import { bindVariable, performCall, performParallelCalls } from "./call-step.js";
import { createActor } from "./identities.js";
import { fixtureRunner } from "./run-fixture.js";
import { provideFixture } from "./shared-fixtures.js";
import { createStepContext, type StepContext } from "./step-context.js";

/**
 * Performs one step.
 *
 * @returns The value that it binds, or null.
 */
export async function performStep(step: Step, context: StepContext): Promise<Json> {
  const { clock } = context.caseContext.run;
  const runFixture = fixtureRunner(context);
  if (usesTime(step)) await clock.refresh(runFixture);
  if ("call" in step) return performCall(step, context);
  if ("make" in step) return bindVariable(step.as, await provideFixture(step, context), context);
  if ("actor" in step) return bindVariable(step.as, await createActor(step, context), context);
  if ("parallel" in step) return performParallelCalls(step, context);
  if ("check" in step) return checkValueStep(step, context);
  if ("repeat" in step) return repeatSteps(step, context);
  if ("code" in step) return runScenario(step, context);
  if ("advance" in step) return done(clock.advance(step.advance, runFixture));
  if ("settle" in step) return done(clock.settle(runFixture));
  return done(clock.hold(step.hold, runFixture));
}

function checkValueStep(step: CheckStep, { caseContext, values, isSetup }: StepContext): Json {
  const { run, log } = caseContext;
  const value = evaluateTemplate(step.check, values);
  const schema = evaluateTemplate(step.matches, values) as JsonSchema;
  const requirements = step.requirements ?? caseContext.requirements;
  const differences = run.schemas.validate(schema, value).map((each) => ({
    message: step.message === undefined ? `${each.message}.` : `${step.message} ${each.message}.`,
    expected: each.expected,
    received: each.received,
    requirements,
  }));
  if (!isSetup) log.hasAssertions = true;
  if (differences.length > 0) throw isSetup ? new SetupError(differences) : new AssertionError(differences);
  return null;
}

async function repeatSteps(step: RepeatStep, context: StepContext): Promise<Json> {
  const { variables } = context;
  const outer = variables.get("index");
  for (let index = 0; index < step.times; index++) {
    variables.set("index", index);
    for (const each of step.repeat) await performStep(each, context);
  }
  if (outer === undefined) variables.delete("index");
  else variables.set("index", outer);
  return null;
}

async function runScenario(step: CodeStep, context: StepContext): Promise<Json> {
  const { run, log, reportFailure, onEnd, requirements } = context.caseContext;
  const scenario = run.scenarios[step.code];
  if (scenario === undefined)
    throw new Error(`Missing scenario ${step.code}. Pass it to the run in the option "scenarios".`);
  const inputs = Object.entries(step.inputs ?? {}).map(
    ([name, each]) => [name, evaluateTemplate(each, context.values)] as const,
  );
  const inner = createStepContext(context);
  const value = await scenario({
    inputs: Object.fromEntries(inputs),
    runStep: (each) => performStep(each, inner),
    reportFailure: (difference) => {
      const attributed = difference.requirements.length > 0 ? difference.requirements : requirements;
      reportFailure({ ...difference, requirements: attributed });
    },
    signal: run.signal,
    onEnd,
  });
  if (!context.isSetup) log.hasAssertions = true;
  return bindVariable(step.as, value, context);
}

async function done(work: Promise<void>): Promise<null> {
  await work;
  return null;
}
