import { createFailure } from "../assert/failures.js";
import { AssertionError, SetupError } from "../errors.js";
import type { Difference } from "../results.js";
import type { CheckStep, CodeStep, Json, JsonSchema, RepeatStep, Step, Template } from "../suite.js";
import { addDuration } from "../values/add-duration.js";
import { isJsonObject } from "../values/json.js";
import { evaluateTemplate, usesTime } from "../values/template.js";
import { bindVariable, performCall, performParallelCalls } from "./call-step.js";
import { createActor } from "./identities.js";
import { performFrame } from "./perform-frame.js";
import { performRejections } from "./perform-rejections.js";
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
  if ("frame" in step) return performFrame(step, context);
  if ("rejections" in step) return performRejections(step, context);
  if ("advance" in step) return done(passTime(step.advance, context));
  if ("settle" in step) return done(clock.settle(runFixture));
  return done(clock.hold(step.hold, runFixture));
}

/** The longest time that a run waits for instead of advancing the clock. */
const maxWaitSeconds = 10;

async function passTime(duration: string, context: StepContext): Promise<void> {
  const { clock, timer, signal } = context.caseContext.run;
  const milliseconds = addDuration(0, duration);
  if (clock.isControlled || milliseconds > maxWaitSeconds * 1000)
    return clock.advance(duration, fixtureRunner(context));
  await timer.wait(milliseconds, signal);
}

function checkValueStep(step: CheckStep, { caseContext, values, isSetup }: StepContext): Json {
  const { run, log } = caseContext;
  const value = evaluateTemplate(step.check, values);
  const schema = evaluateTemplate(step.matches, values) as JsonSchema;
  const requirements = step.requirements ?? caseContext.requirements;
  const location = locationOf(step.check);
  const differences = run.schemas.validate(schema, value).map(({ difference, expected, received }) => {
    const at = `${location.at}${difference.at}`;
    const failure = createFailure({ ...difference, part: location.part, at }, { requirements, expected, received });
    return step.message === undefined ? failure : { ...failure, message: `${step.message} ${failure.message}` };
  });
  if (!isSetup) log.hasAssertions = true;
  if (differences.length > 0) throw isSetup ? new SetupError(differences) : new AssertionError(differences);
  return null;
}

/** A value that a step reads from the body of one response is a part of that body. */
function locationOf(check: Template): Pick<Difference, "part" | "at"> {
  const read = isJsonObject(check) && Object.keys(check).length === 1 ? check["$get"] : undefined;
  const [, pointer] = typeof read === "string" ? (/^[^#]*#\/body(|\/.*)$/.exec(read) ?? []) : [];
  return pointer === undefined ? { part: "value", at: "" } : { part: "body", at: pointer };
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
