import { SuiteError } from "./errors.js";
import { estimateWaitSeconds } from "./plan/estimate.js";
import { isUrgentCase, selectQuickCases } from "./plan/select-quick-cases.js";
import type { CaseResult, QuickSummary, RunOptions, RunReport, StopReason } from "./results.js";
import { applyKnownFailures } from "./run/known-failures.js";
import { openRun } from "./run/open-run.js";
import { runCase } from "./run/run-case.js";
import type { RunContext } from "./run/run-context.js";
import type { Worker } from "./run/worker.js";
import { notStartedResult } from "./schedule/not-started.js";
import { requireReachable } from "./schedule/require-reachable.js";
import { finishWorkers, maxWorkers, openRunWorker } from "./schedule/run-workers.js";
import type { Case, Suite } from "./suite.js";
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
  const started = new Date().toISOString();
  const startMs = performance.now();
  const { runId = createRunId(), seed, url, onProgress, knownFailures = [] } = options;
  const note = (text: string): void => onProgress?.({ kind: "note", text });
  const { run, close } = openRun(suite, { ...options, runId, started, note });
  try {
    const requestMs = await requireReachable(run.target.client, options);
    const cases = chooseCases(run, options, requestMs);
    const workers = await openWorkers(run, { ...options, cases });
    const estimateSeconds = estimateWaitSeconds(run, cases, workers.length);
    onProgress?.({ kind: "start", cases: cases.length, workers: workers.length, estimateSeconds });
    const frameWorker = await openFrameWorker(run, { cases, workers });
    const outcome = await new CaseRunner(run, { ...options, cases }).run(workers, frameWorker);
    const cleanupErrors = await finishWorkers([...new Set([...workers, frameWorker])], run);
    if (outcome.suiteError !== undefined) throw outcome.suiteError;
    const { stopped } = outcome;
    const { results, problems } = applyKnownFailures(outcome.results, knownFailures, suite);
    const isChecked = results.some(({ status }) => status !== "skipped" && status !== "error");
    const nothing = isChecked || stopped !== undefined ? [] : ["No check was executed."];
    const errors = [...problems, ...cleanupErrors, ...nothing];
    return {
      runId,
      seed,
      url,
      started,
      durationSeconds: (performance.now() - startMs) / 1000,
      requests: run.target.requests.sent,
      results,
      stopped,
      quick: summarizeQuickRun(options, outcome.results),
      responses: run.statistics.counts(),
      errors: errors.map((each) => run.secrets.text(each)),
      passed: errors.length === 0 && stopped === undefined && results.every(({ status }) => isPassing[status]),
    };
  } finally {
    close();
  }
}

/** The statuses with which a run passes. A missing capability only skips its cases. */
const isPassing = {
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

/** Cases that read everything have an account of their own where the run can create one, so that nothing else changes it. */
async function openFrameWorker(
  run: RunContext,
  { cases, workers }: { readonly cases: readonly Case[]; readonly workers: readonly Worker[] },
): Promise<Worker> {
  const [first] = workers;
  const isShared = first !== undefined && (!run.capabilities.has("users") || !cases.some(isFrameCase));
  const index = workers.length;
  return isShared ? first : openRunWorker(run, { index, owner: cases.length + index });
}

function isFrameCase({ kind }: Case): boolean {
  return kind === "frame";
}

interface RunOutcome {
  readonly results: readonly CaseResult[];
  readonly stopped: StopReason | undefined;
  readonly suiteError: SuiteError | undefined;
}

/** Runs cases in workers, until all have run or there is a reason to stop. */
class CaseRunner {
  readonly #run: RunContext;
  readonly #options: RunOptions;
  readonly #startMs: number;
  readonly #indexes: ReadonlyMap<Case, number>;
  readonly #results = new Map<Case, CaseResult>();
  #stopped: StopReason | undefined;
  #suiteError: SuiteError | undefined;

  constructor(run: RunContext, options: RunOptions) {
    this.#run = run;
    this.#options = options;
    this.#startMs = run.timer.now();
    this.#indexes = new Map(options.cases.map((each, index) => [each, index]));
  }

  async run(workers: readonly Worker[], frameWorker: Worker): Promise<RunOutcome> {
    const order = this.#order();
    const [shared, exclusive] = [false, true].map((isAlone) =>
      order.filter((each) => (each.exclusive === true) === isAlone),
    );
    const queue = shared?.filter((each) => !isFrameCase(each)).values() ?? [];
    const working = Promise.all(workers.map((worker) => this.#work(queue, worker)));
    if (workers.length === 1) await working;
    await Promise.all([working, this.#work(shared?.filter(isFrameCase) ?? [], frameWorker)]);
    for (const each of exclusive ?? [])
      for (const worker of isFrameCase(each) ? [frameWorker] : workers.slice(0, 1)) await this.#work([each], worker);
    const results = this.#options.cases.flatMap(
      (each) => this.#results.get(each) ?? (this.#isOver() ? [] : notStartedResult(each, "It was not started.")),
    );
    // A short run has too few responses to stop early. Its report has the reason, unless a case passed.
    if (!results.some(({ status }) => status === "pass")) this.#stopped ??= this.#run.statistics.findWrongTarget(1);
    return { results, stopped: this.#stopped, suiteError: this.#suiteError };
  }

  /** A quick run begins with what matters most. */
  #order(): readonly Case[] {
    const { seed, quickSeconds } = this.#options;
    const shuffled = shuffle([...this.#indexes.keys()], seed);
    if (quickSeconds === undefined) return shuffled;
    return shuffled.toSorted((a, b) => Number(isUrgentCase(b)) - Number(isUrgentCase(a)));
  }

  /** Runs one case after the other. Workers take them from the same queue. */
  async #work(queue: Iterable<Case>, worker: Worker): Promise<void> {
    for (const each of queue) {
      if (this.#suiteError !== undefined || this.#isOver()) return;
      try {
        this.#record(each, await this.#resultOf(each, worker));
      } catch (error) {
        if (!(error instanceof SuiteError)) throw error;
        this.#suiteError = error;
      }
    }
  }

  async #resultOf(each: Case, worker: Worker): Promise<CaseResult> {
    const reason = this.#reasonNotToStart();
    if (reason !== undefined) return notStartedResult(each, reason);
    return runCase(each, { run: this.#run, worker, index: this.#indexes.get(each) ?? 0 });
  }

  #record(each: Case, result: CaseResult): void {
    this.#results.set(each, result);
    if (result.notStarted !== true && (result.status === "fail" || result.status === "error"))
      this.#stopped ??= this.#run.statistics.findStopReason() ?? this.#firstFailure(result);
    this.#options.onProgress?.({ kind: "case", result, done: this.#results.size });
  }

  /** True when the time of a quick run is over. */
  #isOver(): boolean {
    const { quickSeconds = Infinity } = this.#options;
    return this.#run.timer.now() - this.#startMs > quickSeconds * 1000;
  }

  #firstFailure({ case: { id }, failures }: CaseResult): StopReason | undefined {
    const { failFast, knownFailures = [] } = this.#options;
    if (failFast !== true || knownFailures.some((each) => each.id === id)) return undefined;
    return { kind: "first-failure", text: `${id} did not pass: ${failures[0]?.message ?? "its setup failed"}` };
  }

  #reasonNotToStart(): string | undefined {
    if (this.#stopped !== undefined) return "The run stopped before it.";
    if (this.#run.signal.aborted) return "The run was interrupted before it.";
    const { requestBudget = Infinity } = this.#options;
    if (this.#run.target.requests.sent < requestBudget) return undefined;
    return `The request budget of ${requestBudget} is exhausted.`;
  }
}
