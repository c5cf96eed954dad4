import type { Grant, Operation } from "@plumbline/model";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { isDeepEqual } from "../deep-equal.js";
import { shorten } from "../shorten.js";

/** Compares the grants that a restricted user needs. */
export function compareGrants(old: Operation, next: Operation, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.grants, next.grants, formatTarget);
  const what = describeValue(at);
  for (const [before, after] of both)
    if (!isDeepEqual(before, after))
      reportDifference(at, "grant-changed", {
        subject: what,
        old: formatGrant(before),
        new: formatGrant(after),
        newOrigin: after.origin,
      });
  for (const each of added)
    reportDifference(at, "grant-added", { subject: what, new: formatGrant(each), newOrigin: each.origin });
  for (const each of removed)
    reportDifference(at, "grant-removed", { subject: what, old: formatGrant(each), oldOrigin: each.origin });
}

function formatTarget(grant: Grant): string {
  if (grant.kind === "global") return `the global ${grant.global}`;
  return grant.kind === "entity" ? `on ${grant.on.text}` : "to be unrestricted";
}

function formatGrant(grant: Grant): string {
  const level = grant.kind === "entity" ? `${grant.level} ` : "";
  const when = grant.when === undefined ? "" : ` when ${shorten(grant.when)}`;
  return `${level}${formatTarget(grant)}${when}${grant.error === undefined ? "" : `, or ${grant.error}`}`;
}
