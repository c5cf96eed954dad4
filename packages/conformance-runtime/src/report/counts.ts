import type { CaseResult, Status } from "../results.js";
import type { Suite } from "../suite.js";

/** All statuses in display order. */
export const statuses: readonly Status[] = [
  "pass",
  "fail",
  "known-fail",
  "unexpected-pass",
  "skipped",
  "could-not-run",
];

export type Counts = Readonly<Record<Status, number>>;

export function countsOf(results: readonly CaseResult[]): Counts {
  const counts = { pass: 0, fail: 0, "known-fail": 0, "unexpected-pass": 0, skipped: 0, "could-not-run": 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** The area of a case: that of its operation, or else the first segment of its id. */
export function areaOf({ id, operation }: { readonly id: string; readonly operation: string }, suite: Suite): string {
  return suite.operations[operation]?.area ?? id.split("/")[0] ?? id;
}
