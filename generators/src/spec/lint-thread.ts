// The body of the thread that `background.ts` starts.
import { parentPort, workerData } from "node:worker_threads";
import type { LintAnswer, LintJob } from "./background.js";
import { lint } from "./lint.js";

for (const [index, { file, ...options }] of (workerData as readonly LintJob[]).entries()) {
  parentPort?.postMessage({ index, problems: await lint(file, options) } satisfies LintAnswer);
}
