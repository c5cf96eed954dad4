import { resolveIdentity } from "./identities.js";
import { runFixture } from "./run-fixture.js";
import { SetupError, createStepContext, type Worker, type StepContext } from "./step-context.js";
import type { Json, MakeStep } from "../suite.js";
import { evaluateTemplate } from "../values/template.js";
import { appendExchanges, createExchangeLog } from "../http/exchange-log.js";

/** Creates an object by its fixture. Without `fresh` all cases of the worker share it. */
export async function provideFixture(step: MakeStep, stage: StepContext): Promise<Json> {
  const fixture = stage.run.suite.fixtures[step.make];
  if (fixture === undefined) throw new Error(`Missing fixture ${step.make}. Add it under "fixtures".`);
  const missing = fixture.requires.filter((need) => !stage.run.capabilities.has(need));
  if (missing.length > 0) throw requireCapabilities(step.make, missing);
  const caller = await resolveIdentity(step.by, stage);
  const given = Object.entries(step.of ?? {}).map(
    ([name, each]) => [name, evaluateTemplate(each, stage.values)] as const,
  );
  const inputs = { ...Object.fromEntries(given), with: evaluateTemplate(step.with ?? {}, stage.values) };
  if (step.fresh === true) return runFixture(fixture, inputs, createStepContext(stage, { caller }));

  const { sharedFixtures, unique } = stage.worker;
  const key = JSON.stringify([step.make, inputs, caller.token]);
  const known = sharedFixtures.get(key);
  if (known !== undefined) {
    appendExchanges(stage.log, known.log);
    return known.value;
  }
  const log = createExchangeLog();
  try {
    const value = await runFixture(fixture, inputs, createStepContext(stage, { caller, unique, log }));
    sharedFixtures.set(key, { value, log });
    return value;
  } finally {
    appendExchanges(stage.log, log);
    stage.log.requests += log.requests;
  }
}

/** A failed case may have changed shared objects, so later cases create new ones. The end of the run deletes the old ones. */
export function discardSharedFixtures(worker: Worker): void {
  worker.sharedFixtures.clear();
  worker.identities.clear();
}

function requireCapabilities(name: string, missing: readonly string[]): SetupError {
  const message = `${name} cannot be created without ${missing.join(" and ")}.`;
  return new SetupError([{ message, expected: missing.join(", "), received: "none", requirements: [] }]);
}
