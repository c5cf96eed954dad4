import { parentPort, workerData } from "node:worker_threads";
import type { Problem } from "../problem.js";
import { lint, type LintOptions } from "./lint.js";

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

// The body of a thread that `background.ts` starts.
for (const [index, { file, ...options }] of (workerData as readonly LintJob[]).entries()) {
  parentPort?.postMessage({ index, problems: await lint(file, options) } satisfies LintAnswer);
}
