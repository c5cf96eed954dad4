import type { Schema } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { shorten } from "../shorten.js";

/** Compares the rules that compute stored values: an ordered list that is compared as a whole. */
export function compareValueRules(
  { valueRules: old }: Schema,
  { valueRules: next, origin: here }: Schema,
  at: ComparisonContext,
): void {
  if (isDeepEqual(old, next)) return;
  reportDifference(at, "values-changed", {
    subject: describeValue(at),
    old: old && shorten(old),
    new: next && shorten(next),
    newOrigin: here,
  });
}
