// The body of the thread that `background.ts` starts.
import { parentPort } from "node:worker_threads";
import type { LintAnswer, LintJob } from "./background.js";
import { lint } from "./lint.js";

parentPort?.once("message", (jobs: readonly LintJob[]) => void answer(jobs)); // what it throws ends the thread, and reaches whoever waits

async function answer(jobs: readonly LintJob[]): Promise<void> {
  for (const [index, { file, ...options }] of jobs.entries())
    parentPort?.postMessage({ index, problems: await lint(file, options) } satisfies LintAnswer);
}
