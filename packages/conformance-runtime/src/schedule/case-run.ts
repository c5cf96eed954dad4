import type { CaseResult, RunOptions, StopReason } from "../results.js";
import { openRun } from "../run/open-run.js";
import { runCase } from "../run/run-case.js";
import type { Case, Suite } from "../suite.js";
import { createRunId } from "../values/unique-values.js";
import { notStartedResult } from "./not-started.js";
import { requireReachable } from "./require-reachable.js";
import { finishWorkers, maxWorkers, openRunWorker } from "./run-workers.js";
import { createWorkerPool } from "./worker-pool.js";

/** A run whose caller decides which case runs when, such as a test framework. */
export interface CaseRun {
  /**
   * Runs a case once a worker is free. A case that must run alone waits for the others.
   *
   * @throws SuiteError when the suite contradicts itself.
   */
  runCase(each: Case): Promise<CaseResult>;
  /**
   * Deletes what the cases created, and releases all resources.
   *
   * @returns Errors outside of cases, such as objects that could not be deleted.
   */
  close(): Promise<readonly string[]>;
}

export type CaseRunOptions = Pick<
  RunOptions,
  "url" | "credentials" | "controls" | "seed" | "workers" | "runId" | "journal" | "signal" | "scenarios" | "timer"
> & {
  /** Receives notes about waiting and cleanup. */
  readonly onNote?: (text: string) => void;
};

/**
 * Opens a run of single cases. Workers, shared objects, rates and the cleanup are those of `runSuite`.
 *
 * @throws Error when the server does not respond.
 */
export async function openCaseRun(suite: Suite, options: CaseRunOptions): Promise<CaseRun> {
  const { onNote = () => undefined, runId = createRunId() } = options;
  const { run, close } = openRun(suite, {
    ...options,
    runId,
    started: new Date().toISOString(),
    note: onNote,
  });
  try {
    await requireReachable(run.target.client, options);
  } catch (error) {
    close();
    throw error;
  }
  const most = maxWorkers(run, options.workers);
  const pool = createWorkerPool({
    maxWorkers: most,
    open: (index) => openRunWorker(run, { index, owner: suite.cases.length + index }),
  });
  const owners = new Map(suite.cases.map((each, index) => [each, index]));
  let nextOwner = suite.cases.length + most;
  let stopped: StopReason | undefined;
  let hasPassed = false;
  let hasExecuted = false;
  let hasBegun = false;

  return {
    runCase: (each) =>
      pool.use(async (worker) => {
        hasBegun = true;
        if (stopped !== undefined) return notStartedResult(each, stopped.text);
        if (run.signal.aborted) return notStartedResult(each, "The run was interrupted before it.");
        const result = await runCase(each, { run, worker, index: takeOwner(each) });
        if (result.status === "fail" || result.status === "error") stopped ??= run.statistics.findStopReason();
        hasPassed ||= result.status === "pass";
        hasExecuted ||= result.status === "pass" || result.status === "fail";
        return result;
      }, each.exclusive === true),
    async close() {
      try {
        const cleanupErrors = await finishWorkers(pool.workers(), run);
        const wrongTarget = stopped ?? (hasPassed ? undefined : run.statistics.findWrongTarget(1));
        const nothing = hasBegun && !hasExecuted ? ["No check was executed."] : [];
        const all = [...cleanupErrors, ...(wrongTarget === undefined ? nothing : [wrongTarget.text])];
        return all.map((each) => run.secrets.text(each));
      } finally {
        close();
      }
    },
  };

  /** A repeated case has an owner of its own, so that its unique values are new. */
  function takeOwner(each: Case): number {
    const owner = owners.get(each);
    owners.delete(each);
    return owner ?? nextOwner++;
  }
}
