// The worker that `lint-worker-pool.ts` starts.
import { parentPort } from "node:worker_threads";
import type { Diagnostic } from "../../model/index.js";
import { provideFile } from "../read/provided-files.js";
import { areUnchanged, recordInputs, type RecordedInputs, type ParseCache } from "../read/recorded-inputs.js";
import type { LintResponse, LintJob, LintRequest } from "./lint-worker-pool.js";
import { lint } from "./lint.js";

parentPort?.on("message", (request: LintRequest) => void handleRequest(request)); // an exception ends the worker and rejects the pending promises

/** Parsed files of the previous run. Unchanged files are not parsed again. */
const parsed: ParseCache = new Map();

/** The diagnostics of each job, with the files that were read for it. */
const resultsByJob = new Map<
  string,
  { readonly diagnostics: readonly Diagnostic[]; readonly inputs: RecordedInputs }
>();

async function handleRequest({ runId, jobs, provided }: LintRequest): Promise<void> {
  for (const [file, bytes] of provided) provideFile(file, bytes);
  for (const [index, job] of jobs.entries())
    parentPort?.postMessage({ runId, index, diagnostics: await lintJob(job) } satisfies LintResponse);
}

/** Returns the previous diagnostics if no file that was read has changed. */
async function lintJob({ file, ...options }: LintJob): Promise<readonly Diagnostic[]> {
  const key = JSON.stringify({ file, ...options });
  const cached = resultsByJob.get(key);
  if (cached !== undefined && (await areUnchanged(cached.inputs))) return cached.diagnostics;
  const { done, inputs } = recordInputs(() => lint(file, options), parsed);
  const diagnostics = await done;
  resultsByJob.set(key, { diagnostics, inputs: await inputs() });
  return diagnostics;
}
