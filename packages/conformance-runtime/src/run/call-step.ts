import { assertResponse } from "../assert/assertions.js";
import { createFailure } from "../assert/failures.js";
import { AssertionError, SetupError } from "../errors.js";
import type { DecodedResponse } from "../http/decode-response.js";
import type { PreparedRequest } from "../http/request.js";
import type { AssertionFailure } from "../results.js";
import type { CallStep, Json, ParallelStep } from "../suite.js";
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
    const outcome = await sendCall(step, context);
    const differences = failuresOf(step, outcome, { context, isSetup });
    if (differences.length === 0 && outcome.response !== undefined) {
      if (!isSetup) log.hasAssertions = true;
      return bindVariable(step.as, boundBy(outcome.response, outcome.prepared), context);
    }
    if (step.until !== true || !(await canRetry(tries, started, context))) {
      log.hasAssertions ||= !isSetup;
      throw isSetup ? new SetupError(differences, step.call) : new AssertionError(differences);
    }
  }
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
    const found = ended.filter((each) => wanted.includes(each)).length;
    if (found !== count)
      differences.push(
        createFailure(
          {
            part: "outcomes",
            at: "",
            kind: "different",
            expected: `${count} × ${wanted.join(" or ")}`,
            received: `${found} of ${ended.length}`,
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

function failuresOf(
  step: CallStep,
  { operation, response, connectionError, exchange, prepared }: CallOutcome,
  { context, isSetup }: { readonly context: StepContext; readonly isSetup: boolean },
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
    isSetup: isSetup || operation.isControl,
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
