import type { ErrorDefinition } from "../../model/index.js";
import { compareTexts } from "../api/compare-info.js";
import { isDeepEqualExcept } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { shorten } from "../shorten.js";

/** Compares the documented errors by id. */
export function compareErrors(
  old: readonly ErrorDefinition[],
  next: readonly ErrorDefinition[],
  at: ComparisonContext,
): void {
  const { both, removed, added } = matchLists(old, next, ({ id }) => id);
  const what = describeValue(at);
  for (const [before, after] of both) {
    const here = after.origin;
    if (before.status !== after.status)
      reportDifference(at, "error-status-changed", {
        subject: `${what}, ${after.id},`,
        old: before.status,
        new: after.status,
        newOrigin: here,
      });
    // The workflow that verifies it concerns the suite only.
    if (!isDeepEqualExcept(["status", "summary", "verifiedBy"], before, after))
      reportDifference(at, "error-changed", {
        subject: what,
        old: formatError(before),
        new: formatError(after),
        newOrigin: here,
      });
    if (before.summary !== after.summary)
      compareTexts(before, after, { ...at, subject: `the error ${after.id}`, pointer: "", part: undefined });
  }
  for (const each of added)
    reportDifference(at, "error-added", { subject: what, new: formatError(each), newOrigin: each.origin });
  for (const each of removed)
    reportDifference(at, "error-removed", { subject: what, old: formatError(each), oldOrigin: each.origin });
}

function formatError({ id, status, field, when, reasonContains, retry }: ErrorDefinition): string {
  return [
    `${id} (${status})`,
    ...(field === undefined ? [] : [`about ${field ?? "no field"}`]),
    ...(when === undefined ? [] : [`when ${shorten(when)}`]),
    ...(reasonContains.length === 0 ? [] : [`with ${reasonContains.join(", ")}`]),
    ...(retry ? ["with a retry"] : []),
  ].join(" ");
}
