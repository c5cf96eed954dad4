import { expectedStatuses } from "../assert/assertions.js";
import { creationOf } from "../cleanup/created-objects.js";
import { recordImplicitCreations } from "../cleanup/implicit-creations.js";
import { SetupError } from "../errors.js";
import { decodeResponse, type DecodedResponse } from "../http/decode-response.js";
import type { Identity } from "../http/identity.js";
import { NoResponseError } from "../http/no-response-error.js";
import { countsTowardsRate } from "../http/request-throttle.js";
import { prepareRequest, type PreparedRequest } from "../http/request.js";
import { isSuccessStatus } from "../http/status.js";
import { findOperation, sendRequest, type TargetServer, type TargetOperation } from "../http/target.js";
import type { CallStep } from "../suite.js";
import { isJsonObject, toText } from "../values/json.js";
import { resolveIdentity } from "./identities.js";
import { fixtureRunner } from "./run-fixture.js";
import type { StepContext } from "./step-context.js";

export interface CallOutcome {
  readonly operation: ReachableOperation;
  readonly prepared: PreparedRequest;
  /** Undefined when the connection broke; `connectionError` has the reason. */
  readonly response?: DecodedResponse;
  readonly connectionError?: string;
  /** Index in the log. */
  readonly exchange: number;
}

export interface ReachableOperation extends TargetOperation {
  readonly url: string;
}

/** How often a request is repeated after an unexpected 429. */
const maxRetries = 5;

/** Sends the request of a step once, and repeats it after an unexpected 429. */
export async function sendCall(step: CallStep, context: StepContext): Promise<CallOutcome> {
  const { target, throttle, clock } = context.caseContext.run;
  const operation = operationOf(step.call, target);
  const { info, url, isControl } = operation;
  const by = isControl ? controlIdentity : await resolveIdentity(step.by, context);
  const expectsTooMany = step.isImmediate === true || expectedStatuses(step.expect)?.includes(429) === true;
  for (let retries = 0; ; retries++) {
    const markResponse = countsTowardsRate(step, info)
      ? await throttle.acquire({ operation: step.call, info, by, isDelayed: !expectsTooMany })
      : undefined;
    const advances = clock.advanceCount();
    const { values } = context;
    // An operation without security gets no token, unless the step is about its caller.
    const caller = info.public === true && step.by === undefined ? undefined : by;
    const prepared = prepareRequest(step, { url, info, values, caller, userAgent: target.userAgent });
    const outcome = await sendPrepared(step.call, prepared, { operation, by, context });
    markResponse?.();
    const isTooSoon = outcome.response?.status === 429 && !expectsTooMany;
    if (!isTooSoon || retries === maxRetries) return outcome;
    await waitForRateLimit(outcome.response.headers["retry-after"], { advances, context, call: step.call });
  }
}

const controlIdentity: Identity = { label: "test controls", username: null, account: null };

/** An operation in use: who calls it in which scope. */
interface SentCall {
  readonly operation: ReachableOperation;
  readonly by: Identity;
  readonly context: StepContext;
}

async function sendPrepared(call: string, prepared: PreparedRequest, sent: SentCall): Promise<CallOutcome> {
  const { operation, by, context } = sent;
  const { run, log, worker } = context.caseContext;
  const { clock } = run;
  const { request } = prepared;
  log.requests++;
  if (request.method !== "GET" && request.method !== "HEAD" && !clock.isClockCall(call)) worker.frame.changes++;
  const received = await sendRequest(request, run.target);
  const response = received instanceof NoResponseError ? received : decodeResponse(received);
  if (!operation.isControl)
    run.statistics.record({
      operation: call,
      info: operation.info,
      isMain:
        by.token !== undefined && by.token === context.caseContext.worker.main.token && by.authorization === undefined,
      response: response instanceof NoResponseError ? undefined : response,
    });
  const exchange = log.entries.push({ operation: call, caller: by.label, request, response }) - 1;
  if (response instanceof NoResponseError) return { operation, prepared, connectionError: response.message, exchange };
  if (isSuccessStatus(response.status)) recordEffects(call, { ...sent, prepared, response });
  return { operation, prepared, response, exchange };
}

interface AnsweredCall extends SentCall {
  readonly prepared: PreparedRequest;
  readonly response: DecodedResponse;
}

/** Records what the request created or deleted. */
function recordEffects(call: string, { operation, by, context, prepared, response }: AnsweredCall): void {
  const { run, worker, log } = context.caseContext;
  const { target, createdObjects, controlIds } = run;
  const { info, isControl } = operation;
  const { path, body } = prepared.seen;
  const creator = isControl ? worker.main : by;
  const record = creationOf(call, info, { request: path, body: response.body, by: creator });
  if (record !== undefined) createdObjects.add({ record, creator, worker, log });
  else if (isControl && isJsonObject(response.body) && response.body["id"] !== undefined)
    controlIds.add(toText(response.body["id"] ?? null));
  if (!isControl) recordImplicitCreations(call, info, { target, createdObjects, worker, log, body, by });
  if (info.deletes !== undefined || info.ends !== undefined)
    createdObjects.remove({ deletedBy: call, path, account: creator.account });
}

function operationOf(name: string, target: TargetServer): ReachableOperation {
  const operation = findOperation(name, target);
  if (operation === undefined) throw new Error(`A step calls ${name}, which the suite does not have.`);
  const { url } = operation;
  if (url !== undefined) return { ...operation, url };
  throw new SetupError([
    {
      message: `${name} needs the server's test controls. Pass their address with --controls.`,
      expected: "test controls",
      received: "none",
      requirements: [],
    },
  ]);
}

async function waitForRateLimit(
  retryAfter: string | undefined,
  { advances, context, call }: { readonly advances: number; readonly context: StepContext; readonly call: string },
): Promise<void> {
  const { clock, note, signal, timer } = context.caseContext.run;
  const seconds = /^\d+$/.test(retryAfter ?? "") ? Math.max(1, Number(retryAfter)) : 31;
  if (!clock.isControlled) {
    note(`${call} responded with 429. Retrying in ${seconds} s.`);
    await timer.wait(seconds * 1000, signal);
  } else if (clock.advanceCount() === advances) await clock.advance(`PT${seconds}S`, fixtureRunner(context));
}
