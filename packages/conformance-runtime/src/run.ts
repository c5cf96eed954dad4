import { changes, snapshot } from "./account.js";
import { runCase } from "./case.js";
import { estimateOf } from "./estimate.js";
import { applyKnown } from "./known.js";
import { laneStage, openLane } from "./lanes.js";
import { takeNamed } from "./names.js";
import { openRun } from "./open.js";
import type { CaseResult, RunOptions, RunReport } from "./results.js";
import { SuiteError, type Lane, type Run } from "./stage.js";
import type { Case, Suite } from "./suite.js";
import { sweep } from "./sweep.js";
import { systemTimer, type Timer } from "./timer.js";
import { newRunId, shuffled } from "./unique.js";

/**
 * Runs cases of a suite against a server, deletes what they created, and reports the results. The results have the order of
 * `options.cases`; the cases run in an order that follows from the seed.
 *
 * @param suite The generated suite.
 * @param options The server, the cases and how to run them.
 * @throws SuiteError when the suite contradicts itself; NoAnswer when the server does not respond.
 */
export async function runSuite(suite: Suite, options: RunOptions): Promise<RunReport> {
  return runSuiteBy(systemTimer, { suite, options });
}

/** The same with another timer. */
export async function runSuiteBy(
  timer: Timer,
  { suite, options }: { readonly suite: Suite; readonly options: RunOptions },
): Promise<RunReport> {
  const started = new Date();
  const begun = performance.now();
  const runId = options.runId ?? newRunId();
  const notes = options.onProgress;
  const { run, close } = openRun(suite, {
    ...options,
    runId,
    started: started.toISOString(),
    note: (text) => notes?.({ kind: "note", text }),
    timer,
  });
  try {
    await mustAnswer(run);
    const lanes = await openLanes(run, options);
    const estimate = estimateOf(run, options.cases, lanes.length);
    const start = { kind: "start", cases: options.cases.length, lanes: lanes.length } as const;
    notes?.(estimate === undefined ? start : { ...start, estimate });
    const played = await play(lanes, { run, options });
    const left = await leave(lanes, run);
    if (played.mistake !== undefined) throw played.mistake;
    const { results, problems } = applyKnown(played.results, options.knownFailures ?? [], suite);
    const isJudged = results.some(({ status }) => status !== "skipped" && status !== "could-not-run");
    const nothing = isJudged ? [] : ["No check was executed."];
    const all = [...problems, ...left, ...nothing];
    return {
      runId,
      seed: options.seed,
      url: options.url,
      started: started.toISOString(),
      took: (performance.now() - begun) / 1000,
      requests: run.requests.sent,
      results,
      problems: all.map((each) => run.secrets.text(each)),
      passed: all.length === 0 && results.every(({ status }) => holds[status]),
    };
  } finally {
    close();
  }
}

/** The statuses with which a run passes. A missing capability only skips its cases. */
const holds = {
  pass: true,
  "known-fail": true,
  skipped: true,
  fail: false,
  "unexpected-pass": false,
  "could-not-run": false,
} satisfies Record<CaseResult["status"], boolean>;

/** Sends one request. Any response will do: it only stops a run that would reach no server. */
async function mustAnswer(run: Run): Promise<void> {
  const { url, controls } = run.options;
  for (const [address, option] of [
    [url, "--url"],
    [controls, "--controls"],
  ] as const) {
    if (address === undefined) continue;
    try {
      await run.http.send({ method: "GET", url: address, headers: {} });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`No response from ${address}: ${reason} Start the server, or pass its address with ${option}.`, {
        cause: error,
      });
    }
  }
}

async function openLanes(run: Run, options: RunOptions): Promise<readonly Lane[]> {
  const makesUsers = run.capabilities.has("users");
  const wanted = makesUsers ? (options.workers ?? 8) : 1;
  const count = Math.max(1, Math.min(wanted, options.cases.length));
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const account = makesUsers ? `${run.tag}-account-${index}` : null;
      const lane = await openLane(run, { index, whose: options.cases.length + index, account });
      return { ...lane, had: await snapshot(laneStage(run, lane)) };
    }),
  );
}

interface Played {
  readonly results: readonly CaseResult[];
  readonly mistake?: SuiteError;
}

async function play(
  lanes: readonly Lane[],
  { run, options }: { readonly run: Run; readonly options: RunOptions },
): Promise<Played> {
  const { cases } = options;
  const places = new Map(cases.map((each, index) => [each, index]));
  const results = new Map<Case, CaseResult>();
  const taken = new Set<Case>();
  let mistake: SuiteError | undefined;

  const order = shuffled(cases, options.seed);
  const together = order.filter((each) => each.alone !== true);
  await Promise.all(lanes.map((lane) => work(together, lane)));
  const [first] = lanes;
  const alone = order.filter((each) => each.alone === true);
  if (first !== undefined) await work(alone, first);
  const inOrder = cases.map((each) => results.get(each) ?? notStarted(each, "It was not started."));
  return { results: inOrder, ...(mistake === undefined ? {} : { mistake }) };

  async function work(queue: readonly Case[], lane: Lane): Promise<void> {
    for (const each of queue) {
      if (mistake !== undefined) return;
      if (taken.has(each)) continue;
      taken.add(each);
      const reason = whyNot();
      try {
        const index = places.get(each) ?? 0;
        tell(each, reason === undefined ? await runCase(each, { run, lane, index }) : notStarted(each, reason));
      } catch (error) {
        if (!(error instanceof SuiteError)) throw error;
        mistake = error;
      }
    }
  }

  function tell(each: Case, result: CaseResult): void {
    results.set(each, result);
    options.onProgress?.({ kind: "case", result, done: results.size });
  }

  function whyNot(): string | undefined {
    if (run.signal.aborted) return "The run was interrupted before it.";
    const budget = options.requestBudget;
    if (budget === undefined || run.requests.sent < budget) return undefined;
    return `The request budget of ${budget} is exhausted.`;
  }
}

function notStarted(each: Case, reason: string): CaseResult {
  const difference = { message: reason, expected: "a case that runs", received: "none", requirements: [] };
  return {
    case: each,
    status: "could-not-run",
    missing: [],
    differences: [difference],
    exchanges: [],
    requests: 0,
    took: 0,
  };
}

/** Deletes what still exists, then compares the accounts with their snapshots. */
async function leave(lanes: readonly Lane[], run: Run): Promise<readonly string[]> {
  const reported = await Promise.all(
    lanes.map(async (lane) => {
      const stage = laneStage(run, lane);
      try {
        const left = [...(await sweep(run.ledger.of(lane), stage)), ...(await takeNamed(stage))];
        return left.length > 0 ? left : await changes(stage);
      } catch (error) {
        return [`The cleanup failed: ${error instanceof Error ? error.message : String(error)}`];
      }
    }),
  );
  return reported.flat();
}
