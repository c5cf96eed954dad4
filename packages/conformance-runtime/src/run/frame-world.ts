import { findChanges } from "../frame/find-changes.js";
import { readSnapshot } from "../frame/read-snapshot.js";
import type { Party } from "../frame/snapshot.js";
import type { FrameWorld } from "../frame/world.js";
import type { Identity } from "../http/identity.js";
import { attemptSteps } from "./attempt-steps.js";
import { resolveIdentity } from "./identities.js";
import { fixtureRunner } from "./run-fixture.js";
import { createStepContext, type StepContext } from "./step-context.js";
import { createInWorkerScope } from "./worker-scope.js";

/** Creates the world for the first case of a worker, and returns it for the others. */
export async function provideWorld(context: StepContext): Promise<FrameWorld> {
  const { worker, run } = context.caseContext;
  if (worker.frame.world !== undefined) return worker.frame.world;
  const { value: parties, log } = await createInWorkerScope(context, (shared) => createWorld(shared));
  worker.sharedFixtures.set("frame", { value: null, log });
  await run.clock.settle(fixtureRunner(context));
  const reader = { run, parties, focus: new Set<string>(), onRequest: () => void context.caseContext.log.requests++ };
  const [first, second] = [await readSnapshot(reader), await readSnapshot(reader)];
  const unsteady = new Set(findChanges(first, second).map(({ key, at }) => `${key} ${at}`));
  const world = { parties, unsteady, snapshot: second, changes: worker.frame.changes, time: run.clock.now() };
  worker.frame.world = world;
  return world;
}

async function createWorld(context: StepContext): Promise<ReadonlyMap<Party, Identity>> {
  const { run, worker } = context.caseContext;
  const inner = createStepContext(context, { variables: new Map(), caller: worker.main, isSetup: true, isFull: true });
  const parties = new Map<Party, Identity>([["main", worker.main]]);
  await attemptSteps([{ actor: { account: "own" }, as: "second" }], inner);
  const { capabilities } = run;
  if (inner.variables.has("second") && capabilities.has("users"))
    parties.set("another user", await resolveIdentity({ user: "second" }, inner));
  if (capabilities.has("other-account")) parties.set("another account", await resolveIdentity("other-account", inner));
  // A step that fails leaves the world smaller. What the cases need, they create again, and report.
  for (const step of run.suite.frame?.world ?? []) await attemptSteps([step], inner);
  return parties;
}
