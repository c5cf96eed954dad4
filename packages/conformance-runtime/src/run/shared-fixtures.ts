import { SetupError } from "../errors.js";
import { appendExchanges } from "../http/exchange-log.js";
import type { Json, MakeStep } from "../suite.js";
import { evaluateTemplate } from "../values/template.js";
import { resolveIdentity } from "./identities.js";
import { runFixture } from "./run-fixture.js";
import { createStepContext, type StepContext } from "./step-context.js";
import { createInWorkerScope } from "./worker-scope.js";

/** Creates an object by its fixture. Without `fresh` all cases of the worker share it. */
export async function provideFixture(step: MakeStep, context: StepContext): Promise<Json> {
  const { run, worker, log } = context.caseContext;
  const fixture = run.suite.fixtures[step.make];
  if (fixture === undefined) throw new Error(`Missing fixture ${step.make}. Add it under "fixtures".`);
  const missing = fixture.requires.filter((need) => !run.capabilities.has(need));
  if (missing.length > 0) throw requireCapabilities(step.make, missing);
  const caller = await resolveIdentity(step.by, context);
  const parents = Object.entries(step.of ?? {}).map(
    ([name, each]) => [name, evaluateTemplate(each, context.values)] as const,
  );
  const inputs = { ...Object.fromEntries(parents), with: evaluateTemplate(step.with ?? {}, context.values) };
  if (step.fresh === true) return runFixture(fixture, inputs, createStepContext(context, { caller }));

  const { sharedFixtures } = worker;
  const key = JSON.stringify([step.make, inputs, caller.token]);
  const cached = sharedFixtures.get(key);
  if (cached !== undefined) {
    appendExchanges(log, cached.log);
    return cached.value;
  }
  const created = await createInWorkerScope(context, (shared) =>
    runFixture(fixture, inputs, createStepContext(shared, { caller })),
  );
  sharedFixtures.set(key, created);
  return created.value;
}

function requireCapabilities(name: string, missing: readonly string[]): SetupError {
  const message = `${name} cannot be created without ${missing.join(" and ")}.`;
  return new SetupError([{ message, expected: missing.join(", "), received: "none", requirements: [] }]);
}
