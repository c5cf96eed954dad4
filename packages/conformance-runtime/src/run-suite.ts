import { SuiteError } from "./errors.js";
import { notStartedResult } from "./schedule/not-started.js";
import { requireReachable } from "./schedule/require-reachable.js";
import { runCase } from "./run/run-case.js";
import { finishWorkers, maxWorkers, openRunWorker } from "./schedule/run-workers.js";
import { estimateWaitSeconds } from "./plan/estimate.js";
import { isUrgentCase, selectQuickCases } from "./plan/select-quick-cases.js";
import { applyKnownFailures } from "./run/known-failures.js";
import { openRun } from "./run/open-run.js";
import type { CaseResult, QuickSummary, RunOptions, RunReport, StopReason } from "./results.js";
import type { RunContext } from "./run/run-context.js";
import type { Worker } from "./run/worker.js";
import type { Case, Suite } from "./suite.js";
import { systemTimer, type Timer } from "./http/timer.js";
import { createRunId, shuffle } from "./values/unique-values.js";

/**
 * Runs cases of a suite against a server, deletes what they created, and reports the results. The results have the order of
 * `options.cases`; the cases run in an order that follows from the seed.
 *
 * @param suite The generated suite.
 * @param options The server, the cases and how to run them.
 * @throws SuiteError when the suite contradicts itself; NoResponseError when the server does not respond.
 */
export async function runSuite(suite: Suite, options: RunOptions): Promise<RunReport> {
  return runSuiteWithTimer(systemTimer, { suite, options });
}

/** The same with another timer. */
export async function runSuiteWithTimer(
  timer: Timer,
  { suite, options: given }: { readonly suite: Suite; readonly options: RunOptions },
): Promise<RunReport> {
  const started = new Date();
  const begun = performance.now();
  const runId = given.runId ?? createRunId();
  const notes = given.onProgress;
  const { run, close } = openRun(suite, {
    ...given,
    runId,
    started: started.toISOString(),
    note: (text) => notes?.({ kind: "note", text }),
    timer,
  });
  try {
    const requestMs = await requireReachable(run.target.client, given);
    const options = { ...given, cases: chooseCases(run, given, requestMs) };
    const workers = await openWorkers(run, options);
    const estimate = estimateWaitSeconds(run, options.cases, workers.length);
    const start = { kind: "start", cases: options.cases.length, workers: workers.length } as const;
    notes?.(estimate === undefined ? start : { ...start, estimateSeconds: estimate });
    const played = await runCases(workers, { run, options });
    const quick = summarizeQuickRun(given, played.results);
    const left = await finishWorkers(workers, run);
    if (played.suiteError !== undefined) throw played.suiteError;
    const { results, problems } = applyKnownFailures(played.results, options.knownFailures ?? [], suite);
    const isChecked = results.some(({ status }) => status !== "skipped" && status !== "error");
    const nothing = isChecked || played.stopped !== undefined ? [] : ["No check was executed."];
    const all = [...problems, ...left, ...nothing];
    return {
      runId,
      seed: options.seed,
      url: options.url,
      started: started.toISOString(),
      durationSeconds: (performance.now() - begun) / 1000,
      requests: run.target.requests.sent,
      results,
      ...(played.stopped === undefined ? {} : { stopped: played.stopped }),
      ...(quick === undefined ? {} : { quick }),
      responses: run.statistics.counts(),
      errors: all.map((each) => run.secrets.text(each)),
      passed: all.length === 0 && played.stopped === undefined && results.every(({ status }) => holds[status]),
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
  error: false,
} satisfies Record<CaseResult["status"], boolean>;

/** Number of workers: one account each. */
function countWorkers(run: RunContext, { workers, cases }: RunOptions): number {
  return Math.max(1, Math.min(maxWorkers(run, workers), cases.length));
}

/** The cases of a quick run, or all. */
function chooseCases(run: RunContext, options: RunOptions, requestMs: number): readonly Case[] {
  const { cases, quickSeconds } = options;
  if (quickSeconds === undefined) return cases;
  return selectQuickCases({ run, cases, workers: countWorkers(run, options), seconds: quickSeconds, requestMs });
}

function summarizeQuickRun(
  { cases, quickSeconds }: RunOptions,
  results: readonly CaseResult[],
): QuickSummary | undefined {
  if (quickSeconds === undefined) return undefined;
  const requirementsOf = (those: readonly Case[]): number =>
    new Set(those.flatMap(({ requirements }) => requirements)).size;
  return {
    seconds: quickSeconds,
    cases: { chosen: results.length, all: cases.length },
    requirements: { chosen: requirementsOf(results.map((each) => each.case)), all: requirementsOf(cases) },
  };
}

async function openWorkers(run: RunContext, options: RunOptions): Promise<readonly Worker[]> {
  const count = countWorkers(run, options);
  return Promise.all(
    Array.from({ length: count }, (_, index) => openRunWorker(run, { index, owner: options.cases.length + index })),
  );
}

interface RunOutcome {
  readonly results: readonly CaseResult[];
  readonly stopped?: StopReason;
  readonly suiteError?: SuiteError;
}

async function runCases(
  workers: readonly Worker[],
  { run, options }: { readonly run: RunContext; readonly options: RunOptions },
): Promise<RunOutcome> {
  const { cases } = options;
  const begun = run.timer.now();
  const places = new Map(cases.map((each, index) => [each, index]));
  const results = new Map<Case, CaseResult>();
  const taken = new Set<Case>();
  let mistake: SuiteError | undefined;
  let stopped: StopReason | undefined;

  const shuffled = shuffle(cases, options.seed);
  const order =
    options.quickSeconds === undefined
      ? shuffled
      : shuffled.toSorted((a, b) => Number(isUrgentCase(b)) - Number(isUrgentCase(a)));
  const together = order.filter((each) => each.exclusive !== true);
  await Promise.all(workers.map((worker) => work(together, worker)));
  const [first] = workers;
  const alone = order.filter((each) => each.exclusive === true);
  if (first !== undefined) await work(alone, first);
  const inOrder = cases.flatMap((each) => {
    const result = results.get(each);
    if (result !== undefined) return result;
    return isOver() ? [] : notStartedResult(each, "It was not started.");
  });
  // A short run has too few responses to stop early. Its report has the reason, unless a case passed.
  if (stopped === undefined && !inOrder.some(({ status }) => status === "pass"))
    stopped = run.statistics.findWrongTarget(1);
  return {
    results: inOrder,
    ...(stopped === undefined ? {} : { stopped }),
    ...(mistake === undefined ? {} : { suiteError: mistake }),
  };

  async function work(queue: readonly Case[], worker: Worker): Promise<void> {
    for (const each of queue) {
      if (mistake !== undefined) return;
      if (taken.has(each)) continue;
      if (isOver()) return;
      taken.add(each);
      const reason = whyNot();
      try {
        const index = places.get(each) ?? 0;
        record(
          each,
          reason === undefined ? await runCase(each, { run, worker, index }) : notStartedResult(each, reason),
        );
      } catch (error) {
        if (!(error instanceof SuiteError)) throw error;
        mistake = error;
      }
    }
  }

  function record(each: Case, result: CaseResult): void {
    results.set(each, result);
    const { status } = result;
    if (result.notStarted !== true && (status === "fail" || status === "error"))
      stopped ??= run.statistics.findStopReason() ?? firstFailure(result);
    options.onProgress?.({ kind: "case", result, done: results.size });
  }

  /** True when the time of a quick run is over. */
  function isOver(): boolean {
    return options.quickSeconds !== undefined && run.timer.now() - begun > options.quickSeconds * 1000;
  }

  function firstFailure({ case: { id }, failures }: CaseResult): StopReason | undefined {
    const isKnown = options.knownFailures?.some((each) => each.id === id) === true;
    if (options.failFast !== true || isKnown) return undefined;
    return { kind: "first-failure", text: `${id} did not pass: ${failures[0]?.message ?? "its setup failed"}` };
  }

  function whyNot(): string | undefined {
    if (stopped !== undefined) return "The run stopped before it.";
    if (run.signal.aborted) return "The run was interrupted before it.";
    const budget = options.requestBudget;
    if (budget === undefined || run.target.requests.sent < budget) return undefined;
    return `The request budget of ${budget} is exhausted.`;
  }
}
