import type { Deprecation, Operation } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";

type Deprecable = Pick<Operation, "deprecated" | "deprecation" | "origin">;

/** Compares the dates, links and replacements of operations that are deprecated before and after. */
export function compareDeprecationDetails(old: Deprecable, next: Deprecable, at: ComparisonContext): void {
  const [before, after] = [old.deprecation, next.deprecation];
  compareSunsets(old, next, at);
  if (old.deprecated && next.deprecated && !isDeepEqual(detailsOf(before), detailsOf(after)))
    reportDifference(at, "deprecation-changed", { newOrigin: (after ?? next).origin });
}

function compareSunsets(old: Deprecable, next: Deprecable, at: ComparisonContext): void {
  const [before, after] = [old.deprecation?.sunset, next.deprecation?.sunset];
  if (before?.seconds === after?.seconds) return;
  const facts = { old: before?.text, new: after?.text, newOrigin: (next.deprecation ?? next).origin };
  if (before === undefined) reportDifference(at, "sunset-added", facts);
  else if (after === undefined) reportDifference(at, "sunset-removed", facts);
  else reportDifference(at, after.seconds < before.seconds ? "sunset-earlier" : "sunset-later", facts);
}

function detailsOf(deprecation: Deprecation | undefined): object {
  const { since, link, sunsetLink, replacement } = deprecation ?? {};
  return { since: since?.seconds, link, sunsetLink, replacement };
}
