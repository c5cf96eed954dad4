import type { CaseResult, CaseStatus } from "../results.js";
import type { Suite } from "../suite.js";

/** All statuses in display order. */
export const orderedStatuses: readonly CaseStatus[] = [
  "pass",
  "fail",
  "known-fail",
  "unexpected-pass",
  "skipped",
  "error",
];

export type StatusCounts = Readonly<Record<CaseStatus, number>>;

export function countByStatus(results: readonly CaseResult[]): StatusCounts {
  const counts = { pass: 0, fail: 0, "known-fail": 0, "unexpected-pass": 0, skipped: 0, error: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** The area of a case: that of its operation, or else the first segment of its id. */
export function tagOfCase(
  { id, operation }: { readonly id: string; readonly operation: string },
  suite: Suite,
): string {
  return suite.operations[operation]?.tag ?? id.split("/")[0] ?? id;
}
