import { findAccountChanges } from "../cleanup/find-account-changes.js";
import { readAccountSnapshot } from "../cleanup/read-account-snapshot.js";
import { SuiteError } from "../errors.js";
import type { HttpClient } from "../http/http-client.js";
import { formatError } from "../values/format-error.js";
import { createCleanupContext } from "./cleanup-context.js";
import { runCase } from "./run-case.js";
import { estimateWaitSeconds } from "./estimate.js";
import { applyKnownFailures } from "./known-failures.js";
import { workerContext, openWorker } from "./open-worker.js";
import { deleteImplicitCreations } from "../cleanup/implicit-creations.js";
import { openRun } from "./open-run.js";
import type { CaseResult, RunOptions, RunReport } from "../results.js";
import type { RunContext } from "./run-context.js";
import type { Worker } from "./worker.js";
import type { Case, Suite } from "../suite.js";
import { deleteWithRetries } from "../cleanup/delete-objects.js";
import { systemTimer, type Timer } from "../http/timer.js";
import { createRunId, shuffle } from "../values/unique-values.js";

/**
 * Runs cases of a suite against a server, deletes what they created, and reports the results. The results have the order of
 * `options.cases`; the cases run in an order that follows from the seed.
 *
 * @param suite The generated suite.
 * @param options The server, the cases and how to run them.
 * @throws SuiteError when the suite contradicts itself; NoAnswer when the server does not respond.
 */
export async function runSuite(suite: Suite, options: RunOptions): Promise<RunReport> {
  return runSuiteWithTimer(systemTimer, { suite, options });
}

/** The same with another timer. */
export async function runSuiteWithTimer(
  timer: Timer,
  { suite, options }: { readonly suite: Suite; readonly options: RunOptions },
): Promise<RunReport> {
  const started = new Date();
  const begun = performance.now();
  const runId = options.runId ?? createRunId();
  const notes = options.onProgress;
  const { run, close } = openRun(suite, {
    ...options,
    runId,
    started: started.toISOString(),
    note: (text) => notes?.({ kind: "note", text }),
    timer,
  });
  try {
    await requireReachable(run.target.client, options);
    const workers = await openWorkers(run, options);
    const estimate = estimateWaitSeconds(run, options.cases, workers.length);
    const start = { kind: "start", cases: options.cases.length, workers: workers.length } as const;
    notes?.(estimate === undefined ? start : { ...start, estimateSeconds: estimate });
    const played = await runCases(workers, { run, options });
    const left = await finishWorkers(workers, run);
    if (played.suiteError !== undefined) throw played.suiteError;
    const { results, problems } = applyKnownFailures(played.results, options.knownFailures ?? [], suite);
    const isChecked = results.some(({ status }) => status !== "skipped" && status !== "error");
    const nothing = isChecked ? [] : ["No check was executed."];
    const all = [...problems, ...left, ...nothing];
    return {
      runId,
      seed: options.seed,
      url: options.url,
      started: started.toISOString(),
      durationSeconds: (performance.now() - begun) / 1000,
      requests: run.target.requests.sent,
      results,
      errors: all.map((each) => run.secrets.text(each)),
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
  error: false,
} satisfies Record<CaseResult["status"], boolean>;

/** Sends one request. Any response will do: it only stops a run that would reach no server. */
async function requireReachable(client: HttpClient, { url, controls }: RunOptions): Promise<void> {
  for (const [address, option] of [
    [url, "--url"],
    [controls, "--controls"],
  ] as const) {
    if (address === undefined) continue;
    try {
      await client.send({ method: "GET", url: address, headers: {} });
    } catch (error) {
      const reason = formatError(error);
      throw new Error(`No response from ${address}: ${reason} Start the server, or pass its address with ${option}.`, {
        cause: error,
      });
    }
  }
}

async function openWorkers(run: RunContext, options: RunOptions): Promise<readonly Worker[]> {
  const makesUsers = run.capabilities.has("users");
  const wanted = makesUsers ? (options.workers ?? 8) : 1;
  const count = Math.max(1, Math.min(wanted, options.cases.length));
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const account = makesUsers ? `${run.tag}-account-${index}` : null;
      const worker = await openWorker(run, { index, owner: options.cases.length + index, account });
      const initialSnapshot = await readAccountSnapshot({ target: run.target, caller: worker.main });
      return { ...worker, initialSnapshot };
    }),
  );
}

interface RunOutcome {
  readonly results: readonly CaseResult[];
  readonly suiteError?: SuiteError;
}

async function runCases(
  workers: readonly Worker[],
  { run, options }: { readonly run: RunContext; readonly options: RunOptions },
): Promise<RunOutcome> {
  const { cases } = options;
  const places = new Map(cases.map((each, index) => [each, index]));
  const results = new Map<Case, CaseResult>();
  const taken = new Set<Case>();
  let mistake: SuiteError | undefined;

  const order = shuffle(cases, options.seed);
  const together = order.filter((each) => each.exclusive !== true);
  await Promise.all(workers.map((worker) => work(together, worker)));
  const [first] = workers;
  const alone = order.filter((each) => each.exclusive === true);
  if (first !== undefined) await work(alone, first);
  const inOrder = cases.map((each) => results.get(each) ?? notStarted(each, "It was not started."));
  return { results: inOrder, ...(mistake === undefined ? {} : { suiteError: mistake }) };

  async function work(queue: readonly Case[], worker: Worker): Promise<void> {
    for (const each of queue) {
      if (mistake !== undefined) return;
      if (taken.has(each)) continue;
      taken.add(each);
      const reason = whyNot();
      try {
        const index = places.get(each) ?? 0;
        record(each, reason === undefined ? await runCase(each, { run, worker, index }) : notStarted(each, reason));
      } catch (error) {
        if (!(error instanceof SuiteError)) throw error;
        mistake = error;
      }
    }
  }

  function record(each: Case, result: CaseResult): void {
    results.set(each, result);
    options.onProgress?.({ kind: "case", result, done: results.size });
  }

  function whyNot(): string | undefined {
    if (run.signal.aborted) return "The run was interrupted before it.";
    const budget = options.requestBudget;
    if (budget === undefined || run.target.requests.sent < budget) return undefined;
    return `The request budget of ${budget} is exhausted.`;
  }
}

function notStarted(each: Case, reason: string): CaseResult {
  const difference = { message: reason, expected: "a case that runs", received: "none", requirements: [] };
  return {
    case: each,
    status: "error",
    missing: [],
    failures: [difference],
    exchanges: [],
    requests: 0,
    durationMs: 0,
  };
}

/** Deletes what still exists, then compares the accounts with their snapshots. */
async function finishWorkers(workers: readonly Worker[], run: RunContext): Promise<readonly string[]> {
  const reported = await Promise.all(
    workers.map(async (worker) => {
      const context = createCleanupContext(workerContext(run, worker));
      try {
        const left = [
          ...(await deleteWithRetries(run.createdObjects.ownedBy(worker), context)),
          ...(await deleteImplicitCreations(context)),
        ];
        return left.length > 0 ? left : await findAccountChanges(context);
      } catch (error) {
        return [`The cleanup failed: ${formatError(error)}`];
      }
    }),
  );
  return reported.flat();
}
