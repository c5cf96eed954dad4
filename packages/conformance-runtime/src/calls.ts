import { identify } from "./actors.js";
import { receive, type Received } from "./documented.js";
import { NoAnswer } from "./http.js";
import { asText, isFields } from "./json.js";
import { expectedStatuses, judge } from "./judge.js";
import { madeBy } from "./ledger.js";
import { noteNamed } from "./names.js";
import { isCounted } from "./pace.js";
import { prepare, type Prepared } from "./request.js";
import type { Difference } from "./results.js";
import { CannotRun, Differs, onStage, type Identity, type Stage } from "./stage.js";
import type { CallStep, Json, OperationFacts, ParallelStep } from "./suite.js";

/** Sends one request and checks its response. With `until` it repeats until the response is as expected. */
export async function call(step: CallStep, stage: Stage): Promise<Json> {
  const prepares = stage.prepares || step.given === true;
  const started = stage.run.timer.now();
  for (let tries = 1; ; tries++) {
    const outcome = await ask(step, stage);
    const differences = differencesOf(step, outcome, { stage, prepares });
    if (differences.length === 0 && outcome.answer !== undefined) {
      if (!prepares) stage.trail.judged = true;
      return bind(step.as, boundBy(outcome.answer, outcome.prepared), stage);
    }
    if (step.until !== true || !(await mayAskAgain(tries, started, stage))) {
      stage.trail.judged ||= !prepares;
      throw prepares ? new CannotRun(differences) : new Differs(differences);
    }
  }
}

/** Sends calls concurrently and counts how many end with which status. */
export async function parallel(step: ParallelStep, stage: Stage): Promise<Json> {
  const statuses = step.outcomes.flatMap((outcome) => outcome.status);
  const calls = Array.from({ length: step.times ?? 1 }, () => step.parallel).flat();
  const ready: CallStep[] = calls.map((each) => ({ ...each, expect: { ...each.expect, status: statuses } }));
  for (const each of ready) await identify(each.by, stage);
  const outcomes = await Promise.all(ready.map((each) => ask(each, stage)));
  stage.trail.judged ||= !stage.prepares;
  const differences = outcomes.flatMap((outcome, index) => {
    const asked = ready[index];
    return asked === undefined ? [] : differencesOf(asked, outcome, { stage, prepares: stage.prepares });
  });
  const ended = outcomes.map(({ answer }) => answer?.status ?? 0);
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
  if (differences.length > 0) throw stage.prepares ? new CannotRun(differences) : new Differs(differences);
  const answers = outcomes.flatMap(({ answer, prepared }) => (answer === undefined ? [] : [boundBy(answer, prepared)]));
  return bind(step.as, answers, stage);
}

export function bind(name: string | undefined, value: Json, stage: Stage): Json {
  if (name !== undefined) stage.bound.set(name, value);
  return value;
}

interface Outcome {
  readonly operation: Operation;
  readonly prepared: Prepared;
  /** Undefined when the connection broke; `lost` has the reason. */
  readonly answer?: Received;
  readonly lost?: string;
  /** Index in the trail. */
  readonly exchange: number;
}

interface Operation {
  readonly name: string;
  readonly facts: OperationFacts;
  readonly url: string;
  readonly isControl: boolean;
}

/** How often a request is repeated after an unexpected 429. */
const mostRetries = 5;

/** Sends the request once, and repeats it after an unexpected 429. */
async function ask(step: CallStep, stage: Stage): Promise<Outcome> {
  const operation = operationOf(step.call, stage);
  const by = operation.isControl ? control : await identify(step.by, stage);
  const expectsTooMany = expectedStatuses(step.expect)?.includes(429) === true;
  for (let retries = 0; ; retries++) {
    const answered = isCounted(step, operation.facts)
      ? await stage.run.pace.turn({ operation: step.call, facts: operation.facts, by, waits: !expectsTooMany })
      : undefined;
    const moves = stage.run.clock.moves();
    const prepared = prepare(step, {
      url: operation.url,
      facts: operation.facts,
      values: stage.values,
      by,
      userAgent: `${stage.run.suite.command}/${stage.run.suite.version}`,
    });
    const outcome = await send({ operation, prepared, by, stage });
    answered?.();
    const isTooSoon = outcome.answer?.status === 429 && !expectsTooMany;
    if (!isTooSoon || retries === mostRetries) return outcome;
    await waitOut(outcome.answer.headers["retry-after"], { moves, stage, call: step.call });
  }
}

const control: Identity = { words: "test controls", username: null, account: null };

async function send({
  operation,
  prepared,
  by,
  stage,
}: {
  readonly operation: Operation;
  readonly prepared: Prepared;
  readonly by: Identity;
  readonly stage: Stage;
}): Promise<Outcome> {
  const { run, trail } = stage;
  const hop = { operation: operation.name, by: by.words, sent: prepared.sent };
  run.requests.sent++;
  trail.requests++;
  try {
    const answer = receive(await run.http.send(prepared.sent));
    const exchange = trail.hops.push({ ...hop, answer }) - 1;
    if (answer.status >= 200 && answer.status < 300) note(operation, { prepared, answer, by, stage });
    return { operation, prepared, answer, exchange };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { operation, prepared, lost: error.message, exchange: trail.hops.push({ ...hop, answer: error }) - 1 };
  }
}

/** Records what the request created or deleted. */
function note(
  operation: Operation,
  {
    prepared,
    answer,
    by,
    stage,
  }: { readonly prepared: Prepared; readonly answer: Received; readonly by: Identity; readonly stage: Stage },
): void {
  const { ledger, controlled } = stage.run;
  const { facts, isControl } = operation;
  const maker = isControl ? stage.lane.main : by;
  const made = madeBy(operation.name, facts, { request: prepared.seen.path, body: answer.body, by: maker });
  if (made !== undefined) ledger.add({ made, maker, lane: stage.lane, trail: stage.trail });
  else if (isControl && isFields(answer.body) && answer.body["id"] !== undefined)
    controlled.add(asText(answer.body["id"] ?? null));
  if (!isControl) noteNamed(operation.name, facts, { body: prepared.seen.body, by, stage });
  if (facts.removes !== undefined)
    ledger.remove({ remove: operation.name, path: prepared.seen.path, account: maker.account });
}

function differencesOf(
  step: CallStep,
  { operation, answer, lost, exchange, prepared }: Outcome,
  { stage, prepares }: { readonly stage: Stage; readonly prepares: boolean },
): Difference[] {
  if (answer === undefined) {
    const request = `${prepared.sent.method} ${prepared.sent.url}`;
    const message = `${request} has no response: ${lost ?? "the connection broke."}`;
    const requirements = step.expect?.requirements ?? stage.requirements;
    return [{ message, expected: "a response", received: "none", requirements, exchange }];
  }
  const differences = judge({
    step,
    facts: operation.facts,
    answer,
    stage,
    prepares: prepares || operation.isControl,
  });
  const before = prepares ? `${operation.name}, which prepares the case: ` : "";
  return differences.map((each) => ({ ...each, message: before + each.message, exchange }));
}

function operationOf(name: string, stage: Stage): Operation {
  const { suite, options } = stage.run;
  const isControl = name.startsWith("controls:");
  const facts = isControl ? suite.controls[name.slice("controls:".length)] : suite.operations[name];
  if (facts === undefined) throw new Error(`A step calls ${name}, which the suite does not have.`);
  if (!isControl) return { name, facts, url: options.url.replace(/\/$/, ""), isControl };
  if (options.controls === undefined)
    throw new CannotRun([
      {
        message: `${name} needs the server's test controls. Pass their address with --controls.`,
        expected: "test controls",
        received: "none",
        requirements: [],
      },
    ]);
  return { name, facts, url: options.controls.replace(/\/$/, ""), isControl };
}

async function waitOut(
  retryAfter: string | undefined,
  { moves, stage, call: name }: { readonly moves: number; readonly stage: Stage; readonly call: string },
): Promise<void> {
  const { clock, note: say, signal, timer } = stage.run;
  const seconds = /^\d+$/.test(retryAfter ?? "") ? Math.max(1, Number(retryAfter)) : 31;
  if (!clock.isControlled) {
    say(`${name} responded with 429. Retrying in ${seconds} s.`);
    await timer.wait(seconds * 1000, signal);
  } else if (clock.moves() === moves) await clock.advance(`PT${seconds}S`, onStage(stage, { prepares: true }));
}

/** With test controls it retries after all jobs have ended; else with growing delays, for one minute. */
async function mayAskAgain(tries: number, started: number, stage: Stage): Promise<boolean> {
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

function boundBy(answer: Received, { seen }: Prepared): Json {
  return { status: answer.status, headers: answer.headers, body: answer.body, request: { ...seen } };
}
