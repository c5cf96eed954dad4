import type { Api, SourceRef } from "../../model/index.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";

/** A node with documentation. */
interface DescribedNode {
  readonly title?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly origin: SourceRef;
}

export function compareVersion(old: Api, next: Api, at: ComparisonContext): void {
  reportDifference(at, "version-changed", { old: old.version, new: next.version, newOrigin: next.origin });
}

/** Compares titles, summaries and descriptions; reports one difference for all of them. */
export function compareTexts(old: DescribedNode, next: DescribedNode, at: ComparisonContext): void {
  for (const key of ["title", "summary", "description"] as const) {
    if (old[key] === next[key]) continue;
    reportDifference(at, "text-changed", { old: old[key], new: next[key], newOrigin: next.origin });
    return;
  }
}

export function compareTags(old: Api, next: Api, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.tags, next.tags, ({ name }) => name);
  for (const [before, after] of both) compareTexts(before, after, { ...at, subject: `the tag ${after.name}` });
  for (const { name, origin } of added) reportDifference(at, "tag-added", { subject: name, newOrigin: origin });
  for (const { name, origin } of removed) reportDifference(at, "tag-removed", { subject: name, oldOrigin: origin });
}
