import { resolveIdentity } from "./identities.js";
import { decodeResponse, type DecodedResponse } from "../assert/response-validation.js";
import { NoResponseError } from "../http/http-client.js";
import { toText, isJsonObject } from "../values/json.js";
import { expectedStatuses, assertResponse } from "../assert/assertions.js";
import { creationOf } from "../cleanup/created-objects.js";
import { recordImplicitCreations } from "../cleanup/implicit-creations.js";
import { countsTowardsRate } from "./request-throttle.js";
import { prepareRequest, type PreparedRequest } from "../http/request.js";
import type { AssertionFailure } from "../results.js";
import { SetupError, AssertionError, createStepContext, type Identity, type StepContext } from "./step-context.js";
import type { CallStep, Json, OperationInfo, ParallelStep } from "../suite.js";

/** Sends one request and checks its response. With `until` it repeats until the response is as expected. */
export async function performCall(step: CallStep, stage: StepContext): Promise<Json> {
  const prepares = stage.isSetup || step.setup === true;
  const started = stage.run.timer.now();
  for (let tries = 1; ; tries++) {
    const outcome = await performOnce(step, stage);
    const differences = failuresOf(step, outcome, { stage, prepares });
    if (differences.length === 0 && outcome.response !== undefined) {
      if (!prepares) stage.log.hasAssertions = true;
      return bindVariable(step.as, boundBy(outcome.response, outcome.prepared), stage);
    }
    if (step.until !== true || !(await canRetry(tries, started, stage))) {
      stage.log.hasAssertions ||= !prepares;
      throw prepares ? new SetupError(differences) : new AssertionError(differences);
    }
  }
}

/** Sends calls concurrently and counts how many end with which status. */
export async function performParallelCalls(step: ParallelStep, stage: StepContext): Promise<Json> {
  const statuses = step.outcomes.flatMap((outcome) => outcome.status);
  const calls = Array.from({ length: step.times ?? 1 }, () => step.parallel).flat();
  const ready: CallStep[] = calls.map((each) => ({ ...each, expect: { ...each.expect, status: statuses } }));
  for (const each of ready) await resolveIdentity(each.by, stage);
  const outcomes = await Promise.all(ready.map((each) => performOnce(each, stage)));
  stage.log.hasAssertions ||= !stage.isSetup;
  const differences = outcomes.flatMap((outcome, index) => {
    const asked = ready[index];
    return asked === undefined ? [] : failuresOf(asked, outcome, { stage, prepares: stage.isSetup });
  });
  const ended = outcomes.map(({ response }) => response?.status ?? 0);
  for (const { status, count } of step.outcomes) {
    const wanted = [status].flat();
    const found = ended.filter((each) => wanted.includes(each)).length;
    if (found !== count)
      differences.push({
        message: `Of ${ended.length} concurrent calls ${found} end with ${wanted.join(" or ")}, and not ${count}.`,
        expected: step.outcomes.map((each) => `${each.count} × ${[each.status].flat().join(" or ")}`).join(", "),
        received: ended.join(", "),
        requirements: stage.requirements,
      });
  }
  if (differences.length > 0) throw stage.isSetup ? new SetupError(differences) : new AssertionError(differences);
  const answers = outcomes.flatMap(({ response, prepared }) =>
    response === undefined ? [] : [boundBy(response, prepared)],
  );
  return bindVariable(step.as, answers, stage);
}

export function bindVariable(name: string | undefined, value: Json, stage: StepContext): Json {
  if (name !== undefined) stage.variables.set(name, value);
  return value;
}

interface CallOutcome {
  readonly operation: Operation;
  readonly prepared: PreparedRequest;
  /** Undefined when the connection broke; `lost` has the reason. */
  readonly response?: DecodedResponse;
  readonly connectionError?: string;
  /** Index in the log. */
  readonly exchange: number;
}

interface Operation {
  readonly name: string;
  readonly facts: OperationInfo;
  readonly url: string;
  readonly isControl: boolean;
}

/** How often a request is repeated after an unexpected 429. */
const maxRetries = 5;

/** Sends the request once, and repeats it after an unexpected 429. */
async function performOnce(step: CallStep, stage: StepContext): Promise<CallOutcome> {
  const operation = operationOf(step.call, stage);
  const by = operation.isControl ? control : await resolveIdentity(step.by, stage);
  const expectsTooMany = expectedStatuses(step.expect)?.includes(429) === true;
  for (let retries = 0; ; retries++) {
    const answered = countsTowardsRate(step, operation.facts)
      ? await stage.run.throttle.acquire({
          operation: step.call,
          info: operation.facts,
          by,
          isDelayed: !expectsTooMany,
        })
      : undefined;
    const moves = stage.run.clock.advanceCount();
    const prepared = prepareRequest(step, {
      url: operation.url,
      info: operation.facts,
      values: stage.values,
      caller: by,
      userAgent: `${stage.run.suite.command}/${stage.run.suite.version}`,
    });
    const outcome = await send({ operation, prepared, by, stage });
    answered?.();
    const isTooSoon = outcome.response?.status === 429 && !expectsTooMany;
    if (!isTooSoon || retries === maxRetries) return outcome;
    await waitForRateLimit(outcome.response.headers["retry-after"], { moves, stage, call: step.call });
  }
}

const control: Identity = { label: "test controls", username: null, account: null };

async function send({
  operation,
  prepared,
  by,
  stage,
}: {
  readonly operation: Operation;
  readonly prepared: PreparedRequest;
  readonly by: Identity;
  readonly stage: StepContext;
}): Promise<CallOutcome> {
  const { run, log } = stage;
  const entry = { operation: operation.name, caller: by.label, request: prepared.request };
  run.requests.sent++;
  log.requests++;
  try {
    const answer = decodeResponse(await run.http.send(prepared.request));
    const exchange = log.entries.push({ ...entry, response: answer }) - 1;
    if (answer.status >= 200 && answer.status < 300) recordEffects(operation, { prepared, answer, by, stage });
    return { operation, prepared, response: answer, exchange };
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error;
    return {
      operation,
      prepared,
      connectionError: error.message,
      exchange: log.entries.push({ ...entry, response: error }) - 1,
    };
  }
}

/** Records what the request created or deleted. */
function recordEffects(
  operation: Operation,
  {
    prepared,
    answer,
    by,
    stage,
  }: {
    readonly prepared: PreparedRequest;
    readonly answer: DecodedResponse;
    readonly by: Identity;
    readonly stage: StepContext;
  },
): void {
  const { createdObjects, controlIds } = stage.run;
  const { facts, isControl } = operation;
  const maker = isControl ? stage.worker.main : by;
  const made = creationOf(operation.name, facts, { request: prepared.seen.path, body: answer.body, by: maker });
  if (made !== undefined) createdObjects.add({ record: made, creator: maker, worker: stage.worker, log: stage.log });
  else if (isControl && isJsonObject(answer.body) && answer.body["id"] !== undefined)
    controlIds.add(toText(answer.body["id"] ?? null));
  if (!isControl) recordImplicitCreations(operation.name, facts, { body: prepared.seen.body, by, stage });
  if (facts.deletes !== undefined)
    createdObjects.remove({ deletedBy: operation.name, path: prepared.seen.path, account: maker.account });
}

function failuresOf(
  step: CallStep,
  { operation, response, connectionError, exchange, prepared }: CallOutcome,
  { stage, prepares }: { readonly stage: StepContext; readonly prepares: boolean },
): AssertionFailure[] {
  if (response === undefined) {
    const request = `${prepared.request.method} ${prepared.request.url}`;
    const message = `${request} has no response: ${connectionError ?? "the connection broke."}`;
    const requirements = step.expect?.requirements ?? stage.requirements;
    return [{ message, expected: "a response", received: "none", requirements, exchange }];
  }
  const differences = assertResponse({
    step,
    info: operation.facts,
    response,
    context: stage,
    isSetup: prepares || operation.isControl,
  });
  const before = prepares ? `${operation.name}, which prepares the case: ` : "";
  return differences.map((each) => ({ ...each, message: before + each.message, exchange }));
}

function operationOf(name: string, stage: StepContext): Operation {
  const { suite, options } = stage.run;
  const isControl = name.startsWith("controls:");
  const facts = isControl ? suite.controls[name.slice("controls:".length)] : suite.operations[name];
  if (facts === undefined) throw new Error(`A step calls ${name}, which the suite does not have.`);
  if (!isControl) return { name, facts, url: options.url.replace(/\/$/, ""), isControl };
  if (options.controls === undefined)
    throw new SetupError([
      {
        message: `${name} needs the server's test controls. Pass their address with --controls.`,
        expected: "test controls",
        received: "none",
        requirements: [],
      },
    ]);
  return { name, facts, url: options.controls.replace(/\/$/, ""), isControl };
}

async function waitForRateLimit(
  retryAfter: string | undefined,
  { moves, stage, call: name }: { readonly moves: number; readonly stage: StepContext; readonly call: string },
): Promise<void> {
  const { clock, note: say, signal, timer } = stage.run;
  const seconds = /^\d+$/.test(retryAfter ?? "") ? Math.max(1, Number(retryAfter)) : 31;
  if (!clock.isControlled) {
    say(`${name} responded with 429. Retrying in ${seconds} s.`);
    await timer.wait(seconds * 1000, signal);
  } else if (clock.advanceCount() === moves)
    await clock.advance(`PT${seconds}S`, createStepContext(stage, { isSetup: true }));
}

/** With test controls it retries after all jobs have ended; else with growing delays, for one minute. */
async function canRetry(tries: number, started: number, stage: StepContext): Promise<boolean> {
  const { clock, signal, timer } = stage.run;
  if (signal.aborted) return false;
  if (clock.isControlled) {
    if (tries >= 10) return false;
    await clock.settle(stage);
    return true;
  }
  if (timer.now() - started > 60_000) return false;
  await timer.wait(Math.min(200 * 1.5 ** (tries - 1), 2000), signal);
  return true;
}

function boundBy(answer: DecodedResponse, { seen }: PreparedRequest): Json {
  return { status: answer.status, headers: answer.headers, body: answer.body, request: { ...seen } };
}
