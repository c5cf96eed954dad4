import type { AssertionFailure, Difference } from "../results.js";
import { formatDifference } from "../values/format-difference.js";

/** What a failure reports beside its difference. */
export interface FailureDetails {
  readonly requirements: readonly string[];
  /** The expected value in full. Default: that of the difference. */
  readonly expected?: string;
  /** The received value in full. Default: that of the difference. */
  readonly received?: string;
}

/** Creates the failure that reports a difference. */
export function createFailure(
  difference: Difference,
  { requirements, expected = difference.expected, received = difference.received }: FailureDetails,
): AssertionFailure {
  return { message: formatDifference(difference), expected, received, requirements, difference };
}
