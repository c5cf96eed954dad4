import type { Visibility, SourceRef } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { joinValues, shorten } from "../shorten.js";

/** Compares visibility rules. */
export function compareVisibility(
  { visibility: before }: WithVisibility,
  { visibility: next, origin: here }: WithVisibility,
  at: ComparisonContext,
): void {
  const old =
    before?.in === undefined
      ? before
      : { ...before, in: before.in.map((each) => at.comparison.currentOperationName(each)) };
  if (isDeepEqual(old, next)) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  reportDifference(at, `visibility-${change}`, {
    subject: describeValue(at),
    old: old && formatVisibility(old),
    new: next && formatVisibility(next),
    newOrigin: here,
  });
}

interface WithVisibility {
  readonly visibility?: Visibility;
  readonly origin: SourceRef;
}

function formatVisibility({ in: operations, when, otherwise, secret }: Visibility): string {
  return [
    ...(operations === undefined ? [] : [`in ${joinValues(operations)}`]),
    ...(when === undefined ? [] : [`when ${shorten(when)}`]),
    ...(otherwise === undefined ? [] : [`otherwise ${shorten(otherwise)}`]),
    ...(secret === undefined ? [] : ["as a secret"]),
  ].join(" ");
}
