import { createRequire } from "node:module";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { Diagnostic } from "../../model/index.js";
import { providedFiles } from "../read/provided-files.js";
import type { LintOptions } from "./lint.js";

/** A description to lint. */
export interface LintJob extends LintOptions {
  /** Absolute path. */
  readonly file: string;
}

/** The jobs for a worker. Responses have the same `turn`. */
export interface LintRequest {
  readonly runId: number;
  readonly jobs: readonly LintJob[];
  /** Files that are not on the disk. */
  readonly provided: ReadonlyMap<string, Uint8Array>;
}

/** The diagnostics of the job at an index. */
export interface LintResponse {
  readonly runId: number;
  readonly index: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** A lint run in a worker, in parallel to the build of the model. */
export interface LintRun {
  /** The results of `lint`, by index of the job. */
  readonly diagnostics: readonly Promise<readonly Diagnostic[]>[];
  /** Stops unfinished jobs. */
  readonly stop: () => Promise<unknown>;
}

/** A lint worker that serves several runs. */
export interface LintWorker {
  readonly start: (jobs: readonly LintJob[]) => LintRun;
  readonly close: () => void;
}

let preloaded: Worker | undefined;
let sharedWorker: LintWorker | undefined;

/** Starts the worker early, because loading the linter takes longer than linting. The worker keeps no process alive. */
export function preloadLinter(): void {
  if (sharedWorker === undefined) preloaded ??= startThread();
}

/** Uses one worker for all later runs of this process, so that the linter is loaded once. */
export function shareLintWorker(): void {
  sharedWorker ??= startLintWorker();
}

/** Starts to lint these descriptions, one after the other. */
export function lintInBackground(jobs: readonly LintJob[]): LintRun {
  if (sharedWorker !== undefined) return sharedWorker.start(jobs);
  const worker = preloaded ?? startThread();
  preloaded = undefined;
  worker.ref();
  return { diagnostics: postJobs(worker, { runId: 0, jobs }), stop: () => worker.terminate() };
}

/** Returns a lint worker for several runs, which restarts its thread if that has ended. Its first thread is the preloaded one, if there is one. */
export function startLintWorker(): LintWorker {
  if (sharedWorker !== undefined) return { start: sharedWorker.start, close: () => undefined };
  let worker: Worker | undefined;
  let lastRunId = 0;
  return {
    start: (jobs) => {
      if (worker === undefined) {
        worker = preloaded ?? startThread();
        preloaded = undefined;
        worker.setMaxListeners(0);
        worker.once("exit", () => (worker = undefined));
      }
      // Responses to earlier requests come first, and are ignored.
      return { diagnostics: postJobs(worker, { runId: ++lastRunId, jobs }), stop: async () => undefined };
    },
    close: () => void worker?.terminate(),
  };
}

function startThread(): Worker {
  // By the name of this package: a bundle has another depth than the sources.
  const manifest = createRequire(import.meta.url).resolve("@plumbline/kit/package.json");
  const worker = new Worker(path.join(path.dirname(manifest), "dist", "openapi", "lint", "lint-worker.js"));
  worker.unref();
  return worker;
}

function postJobs(worker: Worker, request: Omit<LintRequest, "provided">): readonly Promise<readonly Diagnostic[]>[] {
  worker.postMessage({ ...request, provided: providedFiles() } satisfies LintRequest);
  const diagnostics = request.jobs.map(
    (_, jobIndex) =>
      new Promise<readonly Diagnostic[]>((resolve, reject) => {
        const ended = (): void => reject(new Error("the linter ended early"));
        const answered = ({ runId, index, diagnostics: jobDiagnostics }: LintResponse): void => {
          if (runId !== request.runId || index !== jobIndex) return;
          worker.off("message", answered).off("error", reject).off("exit", ended);
          resolve(jobDiagnostics);
        };
        worker.on("message", answered).on("error", reject).on("exit", ended);
      }),
  );
  for (const each of diagnostics) each.catch(() => undefined); // stopped runs are not awaited
  return diagnostics;
}
