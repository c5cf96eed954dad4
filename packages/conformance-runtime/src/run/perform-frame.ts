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
import type { CallStep, FrameRead, FrameStep, Json, JsonSchema, MakeStep } from "../suite.js";
import { resolvePointer } from "../values/json-pointer.js";
import { isJsonObject, toText } from "../values/json.js";
import { evaluateOrNull, evaluateTemplate, UnavailableValueError } from "../values/template.js";
import { attemptSteps } from "./attempt-steps.js";
import { performCall } from "./call-step.js";
import { provideWorld } from "./frame-world.js";
import { resolveIdentity } from "./identities.js";
import { fixtureRunner } from "./run-fixture.js";
import { createStepContext, type StepContext } from "./step-context.js";

/** Performs a call between two readings of everything that is visible, and reports each change that the description does not state. */
export async function performFrame(step: FrameStep, context: StepContext): Promise<Json> {
  const { run, worker, log } = context.caseContext;
  const world = await provideWorld(context);
  await prepareAround(step, context);
  const { reader, party } = await readerOf(step, world, context);
  const isCurrent = world.changes === worker.frame.changes && run.clock.now() - world.time < maxAgeMs;
  const earlier = isCurrent && party !== "caller" ? world : undefined;
  const since = earlier?.time ?? run.clock.now();
  const known = await readSnapshot(reader, earlier?.snapshot);
  const before = await fillTargets(step, known, { reader, party, context });
  // A second, so that a time of change differs from the one before.
  if (run.clock.isControlled) await run.clock.advance("PT1S", fixtureRunner(context));
  const answers = await sendFrameCalls(step, context);
  const exchange = log.entries.length - 1;
  for (const { frame, may } of step.beside ?? [])
    answers.push(...(await sendVariant({ frame: { ...frame, isImmediate: true }, may }, context)));
  await run.clock.settle(fixtureRunner(context));
  const after = await readSnapshot(reader);
  Object.assign(world, { snapshot: after, changes: worker.frame.changes, time: run.clock.now() });
  if (![before, after].some(showsSomething)) throw new SetupError([nothingVisible(context)]);
  log.hasAssertions = true;
  const changes = findChanges(before, after).filter(({ key, at }) => !world.unsteady.has(`${key} ${at}`));
  const always = (run.suite.frame?.always ?? []).filter(({ later }) => later !== true || !run.clock.isControlled);
  const matches = (schema: JsonSchema, value: Json): boolean => run.schemas.matches(schema, value);
  const calls = answers.map(({ answer, may }) => ({
    may,
    always,
    values: { ...context.values, get: (name: string) => (name === "answer" ? answer : context.values.get(name)) },
    body: resolvePointer(answer, "/request/body") ?? null,
    party,
    since,
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

/** After a day of the server's clock, which other cases move, there is a new reading before a call: the platform may have done much. */
const maxAgeMs = 86_400_000;

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
  { frame, client, beside = [], around = [] }: FrameStep,
  { parties }: FrameWorld,
  context: StepContext,
): Promise<{ readonly reader: SnapshotReader; readonly party: Party }> {
  const { run, log, worker } = context.caseContext;
  const caller: Identity = await resolveIdentity(frame.by, context);
  const isMain = caller.token === worker.main.token;
  const path = [frame, ...beside.map((each) => each.frame)].flatMap((call) => idsIn(call.path, context));
  const others: readonly (readonly [Party, Identity])[] =
    client === undefined ? [] : [["another client", await resolveIdentity(client, context)]];
  const parents = around.flatMap((each) => ("make" in each ? idsOfParents(each, context) : []));
  return {
    party: isMain ? "main" : "caller",
    reader: {
      run,
      parties: isMain ? parties : new Map<Party, Identity>([["caller", caller], ...others, ...parties]),
      focus: new Set([...path, ...parents]),
      onRequest: () => void log.requests++,
    },
  };
}

/** The ids in a path. Those of objects that the server did not create are left out. */
function idsIn(path: CallStep["path"], { values }: StepContext): readonly string[] {
  return Object.values(path ?? {}).flatMap((each) => {
    const id = evaluateOrNull(each, values);
    return id === null ? [] : [toText(id)];
  });
}

/** The ids by which paths name the parents of an object. */
function idsOfParents({ of = {} }: MakeStep, { values, caseContext: { run } }: StepContext): readonly string[] {
  const parameters = (run.suite.frame?.reads ?? []).flatMap(({ path }) => Object.values(path));
  return Object.entries(of).flatMap(([resource, template]) => {
    const fields = parameters.filter((each) => each.resource === resource).map(({ by }) => by);
    const parent = evaluateOrNull(template, values);
    return [...new Set(fields)].map((by) => toText(resolvePointer(parent, `/${by}`) ?? null));
  });
}

interface Filling {
  readonly reader: SnapshotReader;
  readonly party: Party;
  readonly context: StepContext;
}

/** Sends what fills the object of the call and its twin, and returns the reading with these as they are then. */
async function fillTargets(
  { frame, fill, twin, may }: FrameStep,
  before: Snapshot,
  { reader, party, context }: Filling,
): Promise<Snapshot> {
  if (fill === undefined) return before;
  for (const path of twin === undefined ? [frame.path] : [frame.path, twin])
    await fillObject({ ...frame, ...(path === undefined ? {} : { path }), body: fill }, context);
  const { clock } = context.caseContext.run;
  await clock.settle(fixtureRunner(context));
  const targets = may.filter(({ sent }) => sent === true);
  const isOfKind = ({ call, resource }: FrameRead): boolean => targets.some(({ to }) => to === call || to === resource);
  const named = idsIn(twin, context);
  const isTarget = ({ kind, id }: ObservedObject): boolean =>
    targets.some(
      ({ to, object }) =>
        to === kind &&
        (object === undefined || named.includes(id) || toText(evaluateTemplate(object, context.values)) === id),
    );
  return readAgain(reader, before, { party, isOfKind, isTarget });
}

async function fillObject(call: CallStep, context: StepContext): Promise<void> {
  const fields = Object.entries(isJsonObject(call.body) ? call.body : {});
  if (await isAccepted(call, context)) return;
  for (const [name, value] of fields) await isAccepted({ ...call, body: { [name]: value } }, context);
}

async function prepareAround({ around = [] }: FrameStep, context: StepContext): Promise<void> {
  if (around.length === 0) return;
  const inner = createStepContext(context, { isSetup: true });
  for (const step of around) await attemptSteps([step], inner);
  await context.caseContext.run.clock.settle(fixtureRunner(context));
}

interface FrameAnswer {
  readonly answer: Json;
  readonly may: FrameStep["may"];
}

/** The answers to the call, and to those with other bodies that the server accepts before it. */
async function sendFrameCalls({ frame, earlier = [], may }: FrameStep, context: StepContext): Promise<FrameAnswer[]> {
  const answers: FrameAnswer[] = [];
  for (const body of earlier) answers.push(...(await sendVariant({ frame: { ...frame, body }, may }, context)));
  await sendFrameCall(frame, context);
  return [...answers, { answer: context.values.get("answer") ?? null, may }];
}

async function sendVariant(
  { frame, may }: Pick<FrameStep, "frame" | "may">,
  context: StepContext,
): Promise<readonly FrameAnswer[]> {
  return (await isAccepted(frame, context)) ? [{ answer: context.values.get("answer") ?? null, may }] : [];
}

async function isAccepted(call: CallStep, context: StepContext): Promise<boolean> {
  try {
    await sendFrameCall(call, context);
    return true;
  } catch (error) {
    if (error instanceof SetupError || error instanceof UnavailableValueError) return false;
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
