// The body of the thread that `background.ts` starts.
import { parentPort } from "node:worker_threads";
import type { LintAnswer, LintJob } from "./background.js";
import { lint } from "./lint.js";

parentPort?.once("message", async (jobs: readonly LintJob[]) => {
  for (const [index, { file, ...options }] of jobs.entries())
    parentPort?.postMessage({ index, problems: await lint(file, options) } satisfies LintAnswer);
});
