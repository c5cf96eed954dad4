import type { JsonObject } from "../values/json.js";
import { createStepContext, type StepContext } from "./step-context.js";
import type { Json, Fixture } from "../suite.js";
import { evaluateTemplate } from "../values/template.js";

/**
 * Performs the steps of a fixture in a scope of its own.
 *
 * @returns The fixture's `outputs`.
 */
export async function runFixture(fixture: Fixture, inputs: JsonObject, stage: StepContext): Promise<Json> {
  const { username, account } = stage.caller;
  const bound = new Map<string, Json>([
    ["of", inputs],
    ["caller", { username, account }],
  ]);
  const inner = createStepContext(stage, { variables: bound, isSetup: true });
  for (const step of fixture.steps) await stage.perform(step, inner);
  return evaluateTemplate(fixture.outputs, inner.values);
}
