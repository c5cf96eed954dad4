import type { Mutability, Property } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { shorten } from "../shorten.js";

/** Compares the rules for changes of a field, `x-mutability`. */
export function compareMutability(
  { mutability: old }: Property,
  { mutability: next, schema }: Property,
  at: ComparisonContext,
): void {
  if (isDeepEqual(old, next)) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  const facts = {
    subject: describeValue(at),
    old: old && formatMutability(old),
    new: next && formatMutability(next),
    newOrigin: schema.origin,
  };
  reportDifference(at, `change-rule-${change}`, facts);
}

function formatMutability({ rule, to, order, error }: Mutability): string {
  return [
    rule,
    ...(to === undefined ? [] : [`to ${shorten(to)}`]),
    ...(order === undefined ? [] : [`in the order of ${order}`]),
    ...(error === undefined ? [] : [`or ${error}`]),
  ].join(" ");
}
