import type { LintJob, LintRun } from "./lint-worker-pool.js";
import { lint } from "./lint.js";

/** Lints in this thread. The worker runs the built linter, tests run the source. */
export function lintInProcess(jobs: readonly LintJob[]): LintRun {
  const diagnostics = jobs.map(({ file, ...options }) => lint(file, options));
  return { diagnostics, stop: async () => undefined };
}
