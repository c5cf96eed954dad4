import { AssertionError } from "../errors.js";
import { describeChange, maxReportedChanges } from "../frame/describe-change.js";
import { unexplainedChanges } from "../frame/explain-change.js";
import { findChanges, type Change } from "../frame/find-changes.js";
import { readSnapshot, type SnapshotReader } from "../frame/read-snapshot.js";
import type { Party } from "../frame/snapshot.js";
import type { FrameWorld } from "../frame/world.js";
import type { Identity } from "../http/identity.js";
import { isSuccessStatus } from "../http/status.js";
import type { AssertionFailure } from "../results.js";
import type { CallStep, Case, Json, JsonSchema, Rejection, RejectionsStep } from "../suite.js";
import { toText } from "../values/json.js";
import { evaluateTemplate } from "../values/template.js";
import { attemptSteps } from "./attempt-steps.js";
import { createCleanupContext } from "./cleanup-context.js";
import { provideWorld } from "./frame-world.js";
import { resolveIdentity } from "./identities.js";
import { fixtureRunner } from "./run-fixture.js";
import { sendCall } from "./send-call.js";
import { discardSharedFixtures } from "./shared-objects.js";
import { createStepContext, type StepContext } from "./step-context.js";

/** Sends many rejected requests between two readings of everything that is visible, and reports what one of them changes. */
export async function performRejections({ rejections }: RejectionsStep, context: StepContext): Promise<Json> {
  const { log } = context.caseContext;
  const isUnchanged = (await changesBy(rejections, context)).length === 0;
  log.hasAssertions = true;
  if (isUnchanged) return null;
  // Halves do not find what is past a rate: it also rejects other requests, as long as there are many.
  const pastRates = rejections.filter(({ times = 1 }) => times > 1);
  for (const suspect of [...(await narrow(rejections, context)), ...pastRates]) await reportChanges(suspect, context);
  return null;
}

/** Reports what a request changes in a new world. A change that it does not repeat is none of it. */
async function reportChanges(suspect: Rejection, context: StepContext): Promise<void> {
  const changes = await changesInNewWorld([suspect], context);
  if (changes.length === 0) return;
  throw new AssertionError(
    changes.slice(0, maxReportedChanges).map((change) => describeRejected(change, suspect, context)),
  );
}

/** The request that changes something, found by halves: where one half changes nothing, it is in the other. */
async function narrow(rejections: readonly Rejection[], context: StepContext): Promise<readonly Rejection[]> {
  let suspects = rejections;
  let isUnchanged = false;
  while (suspects.length > 1) {
    const middle = Math.ceil(suspects.length / 2);
    const [first, second] = [suspects.slice(0, middle), suspects.slice(middle)];
    const changes: readonly Change[] = isUnchanged
      ? await changesBy(first, context)
      : await changesInNewWorld(first, context);
    isUnchanged = changes.length === 0;
    suspects = isUnchanged ? second : first;
  }
  return suspects;
}

async function changesInNewWorld(rejections: readonly Rejection[], context: StepContext): Promise<readonly Change[]> {
  await discardSharedFixtures(context.caseContext.worker, createCleanupContext(context));
  return changesBy(rejections, context);
}

function describeRejected(change: Change, rejection: Rejection, context: StepContext): AssertionFailure {
  const { operation, requirements } = caseOf(rejection, context);
  const said = describeChange(change, requirements);
  return {
    ...said,
    message: `${operation} rejects the request of ${rejection.of}, but ${said.message}. A rejected request changes nothing.`,
    exchange: context.caseContext.log.entries.findLastIndex((entry) => entry.operation === operation),
  };
}

/** A request that is ready to be sent. */
interface PreparedRejection {
  readonly call: CallStep;
  readonly times: number;
  readonly context: StepContext;
}

/** What changes while the requests are rejected. */
async function changesBy(rejections: readonly Rejection[], context: StepContext): Promise<readonly Change[]> {
  const { run, worker } = context.caseContext;
  const world = await provideWorld(context);
  const prepared = await prepareAll(rejections, context);
  const reader = await readerOf(prepared, world, context);
  const since = run.clock.now();
  let before = await readSnapshot(reader);
  for (const { call, times, context: own } of prepared) {
    const sent = Array.from({ length: times }, () => ({ ...call, isImmediate: true as const }));
    for (const each of sent) {
      const { response } = await sendCall(each, own);
      // Another case reports that it is accepted.
      if (response === undefined || isSuccessStatus(response.status)) before = await readSnapshot(reader);
    }
  }
  // Without a pause, in which jobs of the prepared objects would end.
  const after = await readSnapshot(reader);
  Object.assign(world, { snapshot: after, changes: worker.frame.changes, time: run.clock.now() });
  const always = (run.suite.frame?.always ?? []).filter(({ does }) => does !== "create");
  const matches = (schema: JsonSchema, value: Json): boolean => run.schemas.matches(schema, value);
  const changes = findChanges(before, after).filter(({ key, at }) => !world.unsteady.has(`${key} ${at}`));
  return unexplainedChanges(changes, [
    { may: [], always, values: context.values, body: null, party: "main", since, matches },
  ]);
}

/** Those that hold for a moment are ready last, once the jobs of the others have ended. */
async function prepareAll(
  rejections: readonly Rejection[],
  context: StepContext,
): Promise<readonly PreparedRejection[]> {
  const isBrief = (each: Rejection): boolean => caseOf(each, context).exclusive === true;
  const prepared: PreparedRejection[] = [];
  for (const each of rejections.filter((rejection) => !isBrief(rejection)))
    prepared.push(...(await prepare(each, context)));
  await context.caseContext.run.clock.settle(fixtureRunner(context));
  for (const each of rejections.filter(isBrief)) prepared.push(...(await prepare(each, context)));
  return prepared;
}

/** Performs the steps before the request, with names of their own. Nothing if the run cannot. */
async function prepare(rejection: Rejection, context: StepContext): Promise<readonly PreparedRejection[]> {
  const { steps, requires } = caseOf(rejection, context);
  const { capabilities, clock } = context.caseContext.run;
  const call = steps[rejection.step];
  const before = steps.slice(0, rejection.step);
  // A new object may change by itself for a while.
  const isSteady = clock.isControlled || before.every((step) => "make" in step && step.fresh !== true);
  const canRun = isSteady && requires.every((need) => capabilities.has(need));
  if (call === undefined || !("call" in call) || !canRun) return [];
  const variables = new Map([["caller", context.values.get("caller") ?? null]]);
  const inner = createStepContext(context, { variables, isSetup: true });
  const body = rejection.beside === undefined ? call.body : { $merge: [rejection.beside, call.body ?? {}] };
  const isReady = await attemptSteps(before, inner);
  // The token of the caller is no effect of the request.
  if (isReady) await resolveIdentity(call.by, inner);
  const { times = 1 } = rejection;
  return isReady ? [{ call: { ...call, ...(body === undefined ? {} : { body }) }, times, context: inner }] : [];
}

function caseOf({ of }: Rejection, { caseContext: { run } }: StepContext): Case {
  const found = run.suite.cases.find(({ id }) => id === of);
  if (found === undefined) throw new Error(`A step sends the request of ${of}, which the suite does not have.`);
  return found;
}

/** Users that a case creates read for themselves, too. */
async function readerOf(
  prepared: readonly PreparedRejection[],
  { parties: known }: FrameWorld,
  { caseContext: { run, log } }: StepContext,
): Promise<SnapshotReader> {
  const parties = new Map<Party, Identity>(known);
  const focus = new Set<string>();
  for (const { call, context } of prepared) {
    const { by, path = {} } = call;
    if (typeof by === "object" && "user" in by)
      parties.set(`caller ${parties.size}`, await resolveIdentity(by, context));
    for (const each of Object.values(path)) focus.add(toText(evaluateTemplate(each, context.values)));
  }
  return { run, parties, focus, onRequest: () => void log.requests++ };
}
