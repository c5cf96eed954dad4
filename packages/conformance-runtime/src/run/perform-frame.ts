import { createFailure } from "../assert/failures.js";
import { AssertionError, SetupError } from "../errors.js";
import { describeChange, maxReportedChanges } from "../frame/describe-change.js";
import { unexplainedChanges } from "../frame/explain-change.js";
import { findChanges } from "../frame/find-changes.js";
import { readAgain, readSnapshot, type SnapshotReader } from "../frame/read-snapshot.js";
import type { ObservedObject, Party, Snapshot } from "../frame/snapshot.js";
import type { FrameWorld } from "../frame/world.js";
import type { Identity } from "../http/identity.js";
import type { AssertionFailure } from "../results.js";
import type { CallStep, FrameRead, FrameStep, Json, JsonSchema } from "../suite.js";
import { resolvePointer } from "../values/json-pointer.js";
import { isJsonObject, toText } from "../values/json.js";
import { evaluateTemplate } from "../values/template.js";
import { performCall } from "./call-step.js";
import { provideWorld } from "./frame-world.js";
import { resolveIdentity } from "./identities.js";
import { fixtureRunner } from "./run-fixture.js";
import type { StepContext } from "./step-context.js";

/** Performs a call between two readings of everything that is visible, and reports each change that the description does not state. */
export async function performFrame(step: FrameStep, context: StepContext): Promise<Json> {
  const { run, worker, log } = context.caseContext;
  const world = await provideWorld(context);
  const { reader, party } = await readerOf(step.frame, world, context);
  const isCurrent = world.changes === worker.frame.changes;
  const known = await readSnapshot(reader, isCurrent && party !== "caller" ? world.snapshot : undefined);
  const before = await fillTarget(step, known, { reader, party, context });
  // A second, so that a time of change differs from the one before.
  if (run.clock.isControlled) await run.clock.advance("PT1S", fixtureRunner(context));
  const answers = await sendFrameCalls(step, context);
  const exchange = log.entries.length - 1;
  await run.clock.settle(fixtureRunner(context));
  const after = await readSnapshot(reader);
  Object.assign(world, { snapshot: after, changes: worker.frame.changes });
  if (![before, after].some(showsSomething)) throw new SetupError([nothingVisible(context)]);
  log.hasAssertions = true;
  const changes = findChanges(before, after).filter(({ key, at }) => !world.unsteady.has(`${key} ${at}`));
  const always = (run.suite.frame?.always ?? []).filter(({ later }) => later !== true || !run.clock.isControlled);
  const matches = (schema: JsonSchema, value: Json): boolean => run.schemas.matches(schema, value);
  const calls = answers.map((answer) => ({
    may: step.may,
    always,
    values: { ...context.values, get: (name: string) => (name === "answer" ? answer : context.values.get(name)) },
    body: resolvePointer(answer, "/request/body") ?? null,
    party,
    matches,
  }));
  const unexplained = unexplainedChanges(changes, calls);
  if (unexplained.length === 0) return null;
  throw new AssertionError(
    unexplained
      .slice(0, maxReportedChanges)
      .map((change) => describeChange(change, context.caseContext.requirements))
      .map((said) => ({
        ...said,
        message: `${step.frame.call} also ${said.message}. The description does not state that it does.`,
        exchange,
      })),
  );
}

/** Whether a reading has an object with fields: of a server that shows none, nothing can be said. */
function showsSomething({ objects }: Snapshot): boolean {
  return [...objects.values()].some(({ value }) => !isJsonObject(value) || Object.keys(value).length > 0);
}

function nothingVisible({ caseContext: { requirements } }: StepContext): AssertionFailure {
  const difference = { part: "body", at: "", kind: "missing", expected: "an object", received: "none" } as const;
  return {
    ...createFailure(difference, { requirements }),
    message: "No list and no read shows an object, so what the operation changes cannot be seen.",
  };
}

/** A caller of its own reads for itself, too. */
async function readerOf(
  call: CallStep,
  { parties }: FrameWorld,
  context: StepContext,
): Promise<{ readonly reader: SnapshotReader; readonly party: Party }> {
  const { run, log, worker } = context.caseContext;
  const caller: Identity = await resolveIdentity(call.by, context);
  const isMain = caller.token === worker.main.token;
  const path = Object.values(call.path ?? {}).map((each) => toText(evaluateTemplate(each, context.values)));
  return {
    party: isMain ? "main" : "caller",
    reader: {
      run,
      parties: isMain ? parties : new Map<Party, Identity>([["caller", caller], ...parties]),
      focus: new Set(path),
      onRequest: () => void log.requests++,
    },
  };
}

interface Filling {
  readonly reader: SnapshotReader;
  readonly party: Party;
  readonly context: StepContext;
}

/** Sends what fills the object of the call, and returns the reading with that object as it is then. */
async function fillTarget(
  { frame, fill, may }: FrameStep,
  before: Snapshot,
  { reader, party, context }: Filling,
): Promise<Snapshot> {
  if (fill === undefined) return before;
  const fields = Object.entries(isJsonObject(fill) ? fill : {});
  if (!(await isAccepted({ ...frame, body: fill }, context)))
    for (const [name, value] of fields) await isAccepted({ ...frame, body: { [name]: value } }, context);
  const { clock } = context.caseContext.run;
  await clock.settle(fixtureRunner(context));
  const targets = may.filter(({ sent }) => sent === true);
  const isOfKind = ({ call, resource }: FrameRead): boolean => targets.some(({ to }) => to === call || to === resource);
  const isTarget = ({ kind, id }: ObservedObject): boolean =>
    targets.some(
      ({ to, object }) =>
        to === kind && (object === undefined || toText(evaluateTemplate(object, context.values)) === id),
    );
  return readAgain(reader, before, { party, isOfKind, isTarget });
}

/** The answers to the call, and to those with other bodies that the server accepts before it. */
async function sendFrameCalls({ frame, earlier = [] }: FrameStep, context: StepContext): Promise<readonly Json[]> {
  const answers: Json[] = [];
  for (const body of earlier)
    if (await isAccepted({ ...frame, body }, context)) answers.push(context.values.get("answer") ?? null);
  await sendFrameCall(frame, context);
  return [...answers, context.values.get("answer") ?? null];
}

async function isAccepted(call: CallStep, context: StepContext): Promise<boolean> {
  try {
    await sendFrameCall(call, context);
    return true;
  } catch (error) {
    if (error instanceof SetupError) return false;
    throw error;
  }
}

/** Whether the call itself succeeds, other cases test. */
async function sendFrameCall(call: CallStep, context: StepContext): Promise<void> {
  try {
    await performCall({ ...call, as: "answer", setup: true }, context);
  } catch (error) {
    throw error instanceof SetupError ? new SetupError(error.failures) : error;
  }
}
