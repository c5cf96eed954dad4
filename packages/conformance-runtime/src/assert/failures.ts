import type { AssertionFailure, Difference } from "../results.js";
import { formatDifference } from "../values/format-difference.js";

/** What a failure reports in addition to its difference. */
export interface FailureDetails {
  /** The ids of the requirements that the difference violates. */
  readonly requirements: readonly string[];
  /** The expected value in full, where the difference shortens it. */
  readonly expected?: string;
  /** The received value in full, where the difference shortens it. */
  readonly received?: string;
}

/** Creates the failure that reports a difference. */
export function createFailure(
  difference: Difference,
  { requirements, expected = difference.expected, received = difference.received }: FailureDetails,
): AssertionFailure {
  return { message: formatDifference(difference), expected, received, requirements, difference };
}
