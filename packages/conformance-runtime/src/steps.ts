import { act } from "./actors.js";
import { bind, call, parallel } from "./calls.js";
import { make } from "./fixtures.js";
import { CannotRun, Differs, onStage, type Stage } from "./stage.js";
import type { CheckStep, CodeStep, Json, JsonSchema, RepeatStep, Step } from "./suite.js";
import { asksTime, evaluate } from "./template.js";

/**
 * Performs one step.
 *
 * @returns The value that it binds, or null.
 */
export async function perform(step: Step, stage: Stage): Promise<Json> {
  if (asksTime(step)) await stage.run.clock.refresh(stage);
  if ("call" in step) return call(step, stage);
  if ("make" in step) return bind(step.as, await make(step, stage), stage);
  if ("actor" in step) return bind(step.as, await act(step, stage), stage);
  if ("parallel" in step) return parallel(step, stage);
  if ("check" in step) return check(step, stage);
  if ("repeat" in step) return repeat(step, stage);
  if ("code" in step) return code(step, stage);
  if ("advance" in step) return done(stage.run.clock.advance(step.advance, stage));
  if ("settle" in step) return done(stage.run.clock.settle(stage));
  return done(stage.run.clock.hold(step.hold, stage));
}

function check(step: CheckStep, stage: Stage): Json {
  const value = evaluate(step.check, stage.values);
  const schema = evaluate(step.matches, stage.values) as JsonSchema;
  const requirements = step.requirements ?? stage.requirements;
  const differences = stage.run.schemas.judge(schema, value).map((each) => ({
    message: step.message === undefined ? `${each.message}.` : `${step.message} ${each.message}.`,
    expected: each.expected,
    received: each.received,
    requirements,
  }));
  if (!stage.prepares) stage.trail.judged = true;
  if (differences.length > 0) throw stage.prepares ? new CannotRun(differences) : new Differs(differences);
  return null;
}

async function repeat(step: RepeatStep, stage: Stage): Promise<Json> {
  const outer = stage.bound.get("index");
  for (let index = 0; index < step.times; index++) {
    stage.bound.set("index", index);
    for (const each of step.repeat) await perform(each, stage);
  }
  if (outer === undefined) stage.bound.delete("index");
  else stage.bound.set("index", outer);
  return null;
}

async function code(step: CodeStep, stage: Stage): Promise<Json> {
  const scenario = stage.run.options.scenarios?.[step.code];
  if (scenario === undefined)
    throw new Error(`Missing scenario ${step.code}. Pass it to the run in the option "scenarios".`);
  const given = Object.entries(step.given ?? {}).map(([name, each]) => [name, evaluate(each, stage.values)] as const);
  const inner = onStage(stage);
  const value = await scenario({
    given: Object.fromEntries(given),
    step: (each) => perform(each, inner),
    differs: (difference) => {
      const requirements = difference.requirements.length > 0 ? difference.requirements : stage.requirements;
      stage.differ({ ...difference, requirements });
    },
    signal: stage.run.signal,
    onEnd: stage.onEnd,
  });
  if (!stage.prepares) stage.trail.judged = true;
  return bind(step.as, value, stage);
}

async function done(work: Promise<void>): Promise<null> {
  await work;
  return null;
}
