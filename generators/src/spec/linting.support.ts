import type { LintJob, Linting } from "./background.js";
import { lint } from "./lint.js";

/** Lints in this thread. The worker runs the built linter, tests run the source. */
export function lintHere(jobs: readonly LintJob[]): Linting {
  const problems = jobs.map(({ file, ...options }) => lint(file, options));
  return { problems, stop: async () => undefined };
}
