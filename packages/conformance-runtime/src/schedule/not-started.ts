import type { CaseResult } from "../results.js";
import type { Case } from "../suite.js";

/** The result of a case that the run did not start. */
export function notStartedResult(each: Case, reason: string): CaseResult {
  const difference = { message: reason, expected: "a case that runs", received: "none", requirements: [] };
  return {
    case: each,
    status: "error",
    notStarted: true,
    missing: [],
    failures: [difference],
    exchanges: [],
    requests: 0,
    durationMs: 0,
  };
}
