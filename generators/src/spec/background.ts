import { Worker } from "node:worker_threads";
import type { Problem } from "../problem.js";
import type { LintOptions } from "./lint.js";

/** A description to be linted. */
export interface LintJob extends LintOptions {
  /** Absolute path. */
  readonly file: string;
}

/** What a thread is asked, and which of its answers belong to that. */
export interface LintRequest {
  readonly turn: number;
  readonly jobs: readonly LintJob[];
}

/** What a thread says of the job at an index. */
export interface LintAnswer {
  readonly turn: number;
  readonly index: number;
  readonly problems: readonly Problem[];
}

/** Lints that go on while the model is built; on a second core, where there is one. */
export interface Linting {
  /** What `lint` gives, by index of the job. */
  readonly problems: readonly Promise<readonly Problem[]>[];
  /** Ends what has not ended. */
  readonly stop: () => Promise<unknown>;
}

/** A linter that serves several turns. */
export interface WarmLinter {
  readonly start: (jobs: readonly LintJob[]) => Linting;
  readonly close: () => void;
}

let waiting: Worker | undefined;
let shared: WarmLinter | undefined;

/** Starts the thread before there is anything to lint: to load the linter takes it longer than to lint. It keeps no process alive. */
export function awaitLinting(): void {
  if (shared === undefined) waiting ??= startThread();
}

/** Lints for all later runs of this process in one warm thread: a process that runs many commands loads the linter once. */
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

/** A linter that stays, and so is warm: one thread for all turns, and another where that one has ended. */
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
      // What an earlier turn asked is answered first, and nobody listens.
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
  for (const each of problems) each.catch(() => undefined); // whoever stops early asks for no more
  return problems;
}
