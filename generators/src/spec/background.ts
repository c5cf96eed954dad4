import { Worker } from "node:worker_threads";
import type { Problem } from "../problem.js";
import type { LintOptions } from "./lint.js";

/** A description to lint. */
export interface LintJob extends LintOptions {
  /** Absolute path. */
  readonly file: string;
}

/** The jobs for a worker. Responses have the same `turn`. */
export interface LintRequest {
  readonly turn: number;
  readonly jobs: readonly LintJob[];
}

/** The diagnostics of the job at an index. */
export interface LintAnswer {
  readonly turn: number;
  readonly index: number;
  readonly problems: readonly Problem[];
}

/** A lint run in a worker, in parallel to the build of the model. */
export interface Linting {
  /** The results of `lint`, by index of the job. */
  readonly problems: readonly Promise<readonly Problem[]>[];
  /** Stops unfinished jobs. */
  readonly stop: () => Promise<unknown>;
}

/** A lint worker that serves several runs. */
export interface WarmLinter {
  readonly start: (jobs: readonly LintJob[]) => Linting;
  readonly close: () => void;
}

let waiting: Worker | undefined;
let shared: WarmLinter | undefined;

/** Starts the worker early, because loading the linter takes longer than linting. The worker keeps no process alive. */
export function awaitLinting(): void {
  if (shared === undefined) waiting ??= startThread();
}

/** Uses one worker for all later runs of this process, so that the linter is loaded once. */
export function shareLinter(): void {
  shared ??= keepLinting();
}

/** Starts to lint these descriptions, one after the other. */
export function lintInBackground(jobs: readonly LintJob[]): Linting {
  if (shared !== undefined) return shared.start(jobs);
  const worker = waiting ?? startThread();
  waiting = undefined;
  worker.ref();
  return { problems: ask(worker, { turn: 0, jobs }), stop: () => worker.terminate() };
}

/** Returns a lint worker for several runs, which restarts its thread if that has ended. */
export function keepLinting(): WarmLinter {
  if (shared !== undefined) return { start: shared.start, close: () => undefined };
  let worker: Worker | undefined;
  let turn = 0;
  return {
    start: (jobs) => {
      if (worker === undefined) {
        worker = startThread();
        worker.setMaxListeners(0);
        worker.once("exit", () => (worker = undefined));
      }
      // Responses to earlier requests come first, and are ignored.
      return { problems: ask(worker, { turn: ++turn, jobs }), stop: async () => undefined };
    },
    close: () => void worker?.terminate(),
  };
}

function startThread(): Worker {
  const worker = new Worker(new URL("./lint-thread.js", import.meta.url));
  worker.unref();
  return worker;
}

function ask(worker: Worker, request: LintRequest): readonly Promise<readonly Problem[]>[] {
  worker.postMessage(request);
  const problems = request.jobs.map(
    (_, wanted) =>
      new Promise<readonly Problem[]>((resolve, reject) => {
        const ended = (): void => reject(new Error("the linter ended early"));
        const answered = ({ turn, index, problems: found }: LintAnswer): void => {
          if (turn !== request.turn || index !== wanted) return;
          worker.off("message", answered).off("error", reject).off("exit", ended);
          resolve(found);
        };
        worker.on("message", answered).on("error", reject).on("exit", ended);
      }),
  );
  for (const each of problems) each.catch(() => undefined); // stopped runs are not awaited
  return problems;
}
