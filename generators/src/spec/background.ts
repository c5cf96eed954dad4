import { Worker } from "node:worker_threads";
import type { Problem } from "../problem.js";
import type { LintOptions } from "./lint.js";

/** A description to be linted. */
export interface LintJob extends LintOptions {
  /** Absolute path. */
  readonly file: string;
}

/** What a thread says of the job at an index. */
export interface LintAnswer {
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

let waiting: Worker | undefined;

/** Starts the thread before there is anything to lint: to load the linter takes it longer than to lint. It keeps no process alive. */
export function awaitLinting(): void {
  waiting ??= new Worker(new URL("./lint-thread.js", import.meta.url));
  waiting.unref();
}

/** Starts to lint these descriptions, one after the other. */
export function lintInBackground(jobs: readonly LintJob[]): Linting {
  awaitLinting();
  const worker = waiting as Worker;
  waiting = undefined;
  worker.ref();
  worker.postMessage(jobs);
  const problems = jobs.map(
    (_, index) =>
      new Promise<readonly Problem[]>((resolve, reject) => {
        worker.on("message", (answer: LintAnswer) => {
          if (answer.index === index) resolve(answer.problems);
        });
        worker.on("error", reject);
        worker.on("exit", () => reject(new Error("the linter ended early")));
      }),
  );
  for (const each of problems) each.catch(() => undefined); // whoever stops early asks for no more
  return { problems, stop: () => worker.terminate() };
}
