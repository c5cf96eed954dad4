// The body of the thread that `background.ts` starts.
import { parentPort } from "node:worker_threads";
import type { LintAnswer, LintRequest } from "./background.js";
import { lint } from "./lint.js";

parentPort?.on("message", (request: LintRequest) => void answer(request)); // what it throws ends the thread, and reaches whoever waits

async function answer({ turn, jobs }: LintRequest): Promise<void> {
  for (const [index, { file, ...options }] of jobs.entries())
    parentPort?.postMessage({ turn, index, problems: await lint(file, options) } satisfies LintAnswer);
}
