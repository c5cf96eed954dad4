// The worker that `background.ts` starts.
import { parentPort } from "node:worker_threads";
import { areSame, recordInputs, type Inputs, type Parsed } from "../inputs.js";
import type { Problem } from "../problem.js";
import type { LintAnswer, LintJob, LintRequest } from "./background.js";
import { lint } from "./lint.js";

parentPort?.on("message", (request: LintRequest) => void answer(request)); // an exception ends the worker and rejects the pending promises

/** Parsed files of the previous run. Unchanged files are not parsed again. */
const parsed: Parsed = new Map();

/** The diagnostics of each job, with the files that were read for it. */
const found = new Map<string, { readonly problems: readonly Problem[]; readonly inputs: Inputs }>();

async function answer({ turn, jobs }: LintRequest): Promise<void> {
  for (const [index, job] of jobs.entries())
    parentPort?.postMessage({ turn, index, problems: await problemsOf(job) } satisfies LintAnswer);
}

/** Returns the previous diagnostics if no file that was read has changed. */
async function problemsOf({ file, ...options }: LintJob): Promise<readonly Problem[]> {
  const key = JSON.stringify({ file, ...options });
  const known = found.get(key);
  if (known !== undefined && (await areSame(known.inputs))) return known.problems;
  const { done, inputs } = recordInputs(() => lint(file, options), parsed);
  const problems = await done;
  found.set(key, { problems, inputs: await inputs() });
  return problems;
}
