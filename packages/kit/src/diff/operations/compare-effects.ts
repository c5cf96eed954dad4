import { describeCondition, describeExpression, type Effect, type Operation, toPlainText } from "../../model/index.js";
import { compareTexts } from "../api/compare-info.js";
import { isDeepEqualExcept } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { shorten } from "../shorten.js";

/** Compares the effects of an operation by id. */
export function compareEffects(old: Operation, next: Operation, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.effects, next.effects, ({ id }) => id);
  const what = describeValue(at);
  for (const [before, after] of both) {
    // The workflow that verifies it concerns the suite only.
    if (!isDeepEqualExcept(["summary", "verifiedBy"], before, after))
      reportDifference(at, "effect-changed", {
        subject: what,
        old: formatEffect(before),
        new: formatEffect(after),
        newOrigin: after.origin,
      });
    if (before.summary !== after.summary) compareTexts(before, after, { ...at, subject: `the effect ${after.id}` });
  }
  for (const each of added)
    reportDifference(at, "effect-added", { subject: what, new: formatEffect(each), newOrigin: each.origin });
  for (const each of removed)
    reportDifference(at, "effect-removed", { subject: what, old: formatEffect(each), oldOrigin: each.origin });
}

function formatEffect({ id, does, to, object, of, where, except, count, values, when }: Effect): string {
  const target = object === undefined ? to : toPlainText(describeExpression(object));
  return [
    id,
    ...(does === undefined ? [] : [`(${does}${target === undefined ? "" : ` ${target}`})`]),
    ...(of === undefined ? [] : [`of ${toPlainText(describeExpression(of))}`]),
    ...(where === undefined ? [] : [`where ${shorten(where)}`]),
    ...(except === undefined ? [] : [`except ${toPlainText(describeExpression(except))}`]),
    ...(count === undefined ? [] : [`${shorten(count)} times`]),
    ...(Object.keys(values).length === 0 ? [] : [shorten(values)]),
    ...(when === undefined ? [] : [`if ${toPlainText(describeCondition(when))}`]),
  ].join(" ");
}
