import type { Fixture, Json } from "../suite.js";
import type { JsonObject } from "../values/json.js";
import { evaluateTemplate } from "../values/template.js";
import type { FixtureRunner } from "./server-clock.js";
import { createStepContext, type StepContext } from "./step-context.js";

/**
 * Performs the steps of a fixture in a scope of its own.
 *
 * @returns The fixture's `outputs`.
 */
export async function runFixture(fixture: Fixture, inputs: JsonObject, context: StepContext): Promise<Json> {
  const { username, account } = context.caller;
  const variables = new Map<string, Json>([
    ["of", inputs],
    ["caller", { username, account }],
  ]);
  const inner = createStepContext(context, { variables, isSetup: true });
  for (const step of fixture.steps) await context.performStep(step, inner);
  return evaluateTemplate(fixture.outputs, inner.values);
}

/** Runs the fixtures of the server's clock in this scope. */
export function fixtureRunner(context: StepContext): FixtureRunner {
  return (fixture, inputs) => runFixture(fixture, inputs, context);
}
