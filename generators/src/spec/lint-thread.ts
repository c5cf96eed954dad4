// The body of the thread that `background.ts` starts.
import { parentPort } from "node:worker_threads";
import { areSame, recordInputs, type Inputs, type Parsed } from "../inputs.js";
import type { Problem } from "../problem.js";
import type { LintAnswer, LintJob, LintRequest } from "./background.js";
import { lint } from "./lint.js";

parentPort?.on("message", (request: LintRequest) => void answer(request)); // what it throws ends the thread, and reaches whoever waits

/** Of the turn before: what has not changed is not parsed again. */
const parsed: Parsed = new Map();

/** By job: what was found, and all that was read for it. */
const found = new Map<string, { readonly problems: readonly Problem[]; readonly inputs: Inputs }>();

async function answer({ turn, jobs }: LintRequest): Promise<void> {
  for (const [index, job] of jobs.entries())
    parentPort?.postMessage({ turn, index, problems: await problemsOf(job) } satisfies LintAnswer);
}

/** What was found before, where all that was read is as it was. */
async function problemsOf({ file, ...options }: LintJob): Promise<readonly Problem[]> {
  const key = JSON.stringify({ file, ...options });
  const known = found.get(key);
  if (known !== undefined && (await areSame(known.inputs))) return known.problems;
  const { done, inputs } = recordInputs(() => lint(file, options), parsed);
  const problems = await done;
  found.set(key, { problems, inputs: await inputs() });
  return problems;
}
