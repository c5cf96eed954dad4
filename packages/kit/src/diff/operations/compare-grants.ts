import { describeCondition, describeGrant, type Grant, type Operation, toPlainText } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";

/** Compares the grants that a caller needs. */
export function compareGrants(old: Operation, next: Operation, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.grants, next.grants, formatTarget);
  const what = describeValue(at);
  for (const [before, after] of both)
    if (!isDeepEqual(before, after))
      reportDifference(at, "grant-changed", {
        subject: what,
        old: formatGrant(before, old),
        new: formatGrant(after, next),
        newOrigin: after.origin,
      });
  for (const each of added)
    reportDifference(at, "grant-added", { subject: what, new: formatGrant(each, next), newOrigin: each.origin });
  for (const each of removed)
    reportDifference(at, "grant-removed", { subject: what, old: formatGrant(each, old), oldOrigin: each.origin });
}

/** What identifies a grant in both descriptions. */
function formatTarget(grant: Grant): string {
  if (grant.kind === "named") return `the grant ${grant.name}`;
  return grant.kind === "entity" ? `on ${grant.on.text}` : `of ${Object.keys(grant.caller).join(", ")}`;
}

function formatGrant(grant: Grant, { parameters }: Operation): string {
  const when = grant.when === undefined ? "" : ` if ${toPlainText(describeCondition(grant.when, { parameters }))}`;
  const words = toPlainText(describeGrant(grant, { parameters }));
  return `${words}${when}${grant.error === undefined ? "" : `, or ${grant.error}`}`;
}
