import type { LintJob, Linting } from "./background.js";
import { lint } from "./lint.js";

/** The thread that lints elsewhere runs what is built; this runs what is tested. */
export function lintHere(jobs: readonly LintJob[]): Linting {
  const problems = jobs.map(({ file, ...options }) => lint(file, options));
  return { problems, stop: async () => undefined };
}
