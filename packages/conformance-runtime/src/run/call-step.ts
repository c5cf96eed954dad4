import { assertResponse } from "../assert/assertions.js";
import { createFailure } from "../assert/failures.js";
import { AssertionError, MissingCapabilityError, SetupError } from "../errors.js";
import type { DecodedResponse } from "../http/decode-response.js";
import { itemsOfPage, nextPage } from "../http/pages.js";
import type { PreparedRequest } from "../http/request.js";
import type { AssertionFailure } from "../results.js";
import type { CallStep, Json, ParallelStep } from "../suite.js";
import { isJsonObject } from "../values/json.js";
import { resolveIdentity } from "./identities.js";
import { fixtureRunner } from "./run-fixture.js";
import { sendCall, type CallOutcome } from "./send-call.js";
import type { StepContext } from "./step-context.js";

/** Sends one request and checks its response. With `until` it repeats until the response is as expected. */
export async function performCall(step: CallStep, context: StepContext): Promise<Json> {
  const { run, log } = context.caseContext;
  const isSetup = context.isSetup || step.setup === true;
  const started = run.timer.now();
  for (let tries = 1; ; tries++) {
    const { outcome, differences } = await checkCall(step, { context, isSetup });
    if (differences.length === 0 && outcome.response !== undefined) {
      if (step.needsObject === true && outcome.response.status >= 400)
        throw new MissingCapabilityError("object", `${step.call} has no object in its path that permits it.`);
      if (!isSetup) log.hasAssertions = true;
      return bindVariable(step.as, boundBy(outcome.response, outcome.prepared), context);
    }
    if (step.until !== true || !(await canRetry(tries, started, context))) {
      log.hasAssertions ||= !isSetup;
      throw isSetup ? new SetupError(differences, step.call) : new AssertionError(differences);
    }
  }
}

interface CheckedCall {
  readonly outcome: CallOutcome;
  readonly differences: readonly AssertionFailure[];
}

/** Sends the request of a step, and checks its response. The expected body of a list is that of all pages where the step says so. */
async function checkCall(step: CallStep, options: CheckOptions): Promise<CheckedCall> {
  const outcome = await sendCall(step, options.context);
  const { body, ...expect } = step.expect ?? {};
  const isPaged =
    step.everyPage === true &&
    outcome.response !== undefined &&
    nextPage(outcome.response, outcome.operation.info.pagination, 1) !== undefined;
  const differences = failuresOf(isPaged ? { ...step, expect } : step, outcome, options);
  if (!isPaged || differences.length > 0 || body === undefined) return { outcome, differences };
  const complete = await readOtherPages(step, outcome, options.context);
  return { outcome: complete, differences: failuresOf(step, complete, { ...options, checksDescription: false }) };
}

/** Reads the pages after the first one. Returns the outcome with the items of all, or that of a page which fails. */
async function readOtherPages(step: CallStep, first: CallOutcome, context: StepContext): Promise<CallOutcome> {
  const { pagination } = first.operation.info;
  if (first.response === undefined || pagination === undefined) return first;
  const { page: name, items } = pagination;
  const all = [...itemsOfPage(first.response.body, pagination)];
  let page = nextPage(first.response, pagination, 1);
  for (let number = 2; page !== undefined; number++) {
    const next = await sendCall({ ...step, query: { ...step.query, [name]: page } }, context);
    if (next.response?.status !== first.response.status) return next;
    all.push(...itemsOfPage(next.response.body, pagination));
    page = nextPage(next.response, pagination, number);
  }
  const { body } = first.response;
  const whole = items !== undefined && isJsonObject(body) ? { ...body, [items]: all } : all;
  return { ...first, response: { ...first.response, body: whole } };
}

/** Sends calls concurrently and counts how many end with which status. */
export async function performParallelCalls(step: ParallelStep, context: StepContext): Promise<Json> {
  const { isSetup, caseContext } = context;
  const statuses = step.outcomes.flatMap((outcome) => outcome.status);
  const calls = Array.from({ length: step.times ?? 1 }, () => step.parallel).flat();
  const ready: CallStep[] = calls.map((each) => ({ ...each, expect: { ...each.expect, status: statuses } }));
  for (const each of ready) await resolveIdentity(each.by, context);
  const outcomes = await Promise.all(ready.map((each) => sendCall(each, context)));
  caseContext.log.hasAssertions ||= !isSetup;
  const differences = outcomes.flatMap((outcome, index) => {
    const call = ready[index];
    return call === undefined ? [] : failuresOf(call, outcome, { context, isSetup });
  });
  const ended = outcomes.map(({ response }) => response?.status ?? 0);
  for (const { status, count } of step.outcomes) {
    const wanted = [status].flat();
    const received = ended.filter((each) => wanted.includes(each)).length;
    if (received !== count)
      differences.push(
        createFailure(
          {
            part: "outcomes",
            at: "",
            kind: "different",
            expected: `${count} × ${wanted.join(" or ")}`,
            received: `${received} of ${ended.length}`,
          },
          {
            requirements: caseContext.requirements,
            expected: step.outcomes.map((each) => `${each.count} × ${[each.status].flat().join(" or ")}`).join(", "),
            received: ended.join(", "),
          },
        ),
      );
  }
  if (differences.length > 0) throw isSetup ? new SetupError(differences) : new AssertionError(differences);
  const responses = outcomes.flatMap(({ response, prepared }) =>
    response === undefined ? [] : [boundBy(response, prepared)],
  );
  return bindVariable(step.as, responses, context);
}

export function bindVariable(
  name: string | undefined,
  value: Json,
  { variables }: Pick<StepContext, "variables">,
): Json {
  if (name !== undefined) variables.set(name, value);
  return value;
}

interface CheckOptions {
  readonly context: StepContext;
  readonly isSetup: boolean;
  /** Whether the response has to match the description, beside what the step expects. Default: true. */
  readonly checksDescription?: boolean;
}

function failuresOf(
  step: CallStep,
  { operation, response, connectionError, exchange, prepared }: CallOutcome,
  { context, isSetup, checksDescription = true }: CheckOptions,
): AssertionFailure[] {
  const { run, requirements } = context.caseContext;
  if (response === undefined) {
    const request = `${prepared.request.method} ${prepared.request.url}`;
    const received = connectionError ?? "The connection broke.";
    const difference = { part: "connection", at: "", kind: "missing", expected: "a response", received } as const;
    const failure = createFailure(difference, { requirements: step.expect?.requirements ?? requirements });
    return [{ ...failure, message: `${request} has no response: ${received}`, exchange }];
  }
  const differences = assertResponse({
    step,
    info: operation.info,
    response,
    context: { schemas: run.schemas, isStrict: run.suite.strict, requirements, values: context.values },
    isSetup: isSetup || operation.isControl || !checksDescription,
  });
  const before = isSetup ? `${step.call}, which prepares the case: ` : "";
  return differences.map((each) => ({ ...each, message: before + each.message, exchange }));
}

/** With test controls it retries after all jobs have ended; else with growing delays, for one minute. */
async function canRetry(tries: number, started: number, context: StepContext): Promise<boolean> {
  const { clock, signal, timer } = context.caseContext.run;
  if (signal.aborted) return false;
  if (clock.isControlled) {
    if (tries >= 10) return false;
    await clock.settle(fixtureRunner(context));
    return true;
  }
  if (timer.now() - started > 60_000) return false;
  await timer.wait(Math.min(200 * 1.5 ** (tries - 1), 2000), signal);
  return true;
}

function boundBy(response: DecodedResponse, { seen }: PreparedRequest): Json {
  return { status: response.status, headers: response.headers, body: response.body, request: { ...seen } };
}
