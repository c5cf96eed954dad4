import { describeExpression, describeLimit, type Limit, toPlainText } from "../../model/index.js";
import { isDeepEqualExcept } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { shorten } from "../shorten.js";

export function compareLimits(old: readonly Limit[], next: readonly Limit[], at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old, next, ({ id }) => id);
  const what = describeValue(at);
  // A limit of the API applies to every operation, and is one difference.
  const isShared = at.location === "operation";
  for (const [before, after] of both) {
    if (isDeepEqualExcept(["window"], before, after) && before.window?.seconds === after.window?.seconds) continue;
    const change = classifyChange(before, after);
    reportDifference(at, `limit-${change}`, {
      subject: what,
      old: formatLimit(before),
      new: formatLimit(after),
      newOrigin: after.origin,
      isShared,
    });
  }
  for (const each of added)
    reportDifference(at, "limit-added", { subject: what, new: formatLimit(each), newOrigin: each.origin, isShared });
  for (const each of removed)
    reportDifference(at, "limit-removed", { subject: what, old: formatLimit(each), oldOrigin: each.origin, isShared });
}

/** The direction of a change. A limit that counts something else, or is both tighter and looser, has `changed`. */
function classifyChange(old: Limit, next: Limit): "tightened" | "loosened" | "changed" {
  if (!isDeepEqualExcept(["max", "window"], old, next)) return "changed";
  // A longer window counts more requests; a longer retention keeps objects longer.
  const longer = old.kind === "retention" ? 1 : -1;
  const moves = [
    (next.max ?? Number.POSITIVE_INFINITY) - (old.max ?? Number.POSITIVE_INFINITY) || 0,
    longer * ((next.window?.seconds ?? Number.POSITIVE_INFINITY) - (old.window?.seconds ?? Number.POSITIVE_INFINITY)) ||
      0,
  ];
  if (moves.every((move) => move >= 0)) return "loosened";
  return moves.every((move) => move <= 0) ? "tightened" : "changed";
}

/** The words of a limit, and what else it states. */
function formatLimit(limit: Limit): string {
  const { id, since, reached, until, error } = limit;
  return [
    `${id}, ${toPlainText(describeLimit({ limit }))}`,
    ...(since === undefined ? [] : [`since the last ${shorten(since.join(", "))}`]),
    ...(reached === undefined ? [] : [`then ${reached}`]),
    ...(until === undefined ? [] : [`until ${toPlainText(describeExpression(until.settled))} is settled`]),
    ...(error === undefined ? [] : [`or ${error}`]),
  ].join(" ");
}
