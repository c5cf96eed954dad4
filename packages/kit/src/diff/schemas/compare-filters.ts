import type { Schema } from "../../model/index.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { compareNames } from "../match-lists.js";
import { joinValues } from "../shorten.js";

/** Compares the fields by which lists can be filtered, and their operators. */
export function compareFilters(
  { filterable: old }: Schema,
  { filterable: next, origin: here }: Schema,
  at: ComparisonContext,
): void {
  const what = describeValue(at);
  if (old === undefined) return reportDifference(at, "filter-added", { subject: what, newOrigin: here });
  if (next === undefined) return reportDifference(at, "filter-removed", { subject: what, newOrigin: here });
  const [before, after] = [old.operators, next.operators];
  if (before === undefined && after === undefined) return;
  // Without a list, every operator of the type is allowed.
  if (after === undefined)
    return reportDifference(at, "filter-operator-added", {
      subject: what,
      new: "every operator of its type",
      newOrigin: here,
    });
  if (before === undefined)
    return reportDifference(at, "filter-operator-removed", {
      subject: what,
      old: `every operator but ${joinValues(after)}`,
      newOrigin: here,
    });
  const { added, removed } = compareNames(before, after);
  if (added.length > 0)
    reportDifference(at, "filter-operator-added", { subject: what, new: joinValues(added), newOrigin: here });
  if (removed.length > 0)
    reportDifference(at, "filter-operator-removed", { subject: what, old: joinValues(removed), newOrigin: here });
}
