// The body of the thread that `background.ts` starts.
import { parentPort } from "node:worker_threads";
import { recordInputs, type Parsed } from "../inputs.js";
import type { LintAnswer, LintRequest } from "./background.js";
import { lint } from "./lint.js";

parentPort?.on("message", (request: LintRequest) => void answer(request)); // what it throws ends the thread, and reaches whoever waits

/** Of the turn before: what has not changed is not parsed again. */
const parsed: Parsed = new Map();

async function answer({ turn, jobs }: LintRequest): Promise<void> {
  for (const [index, { file, ...options }] of jobs.entries())
    parentPort?.postMessage({
      turn,
      index,
      problems: await recordInputs(() => lint(file, options), parsed).done,
    } satisfies LintAnswer);
}
