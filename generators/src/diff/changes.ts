import type { Change, Property } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { same } from "./same.js";
import { short } from "./short.js";

/** Compares the rules for changes of a field, `x-change`. */
export function changes({ change: old }: Property, { change: next, shape }: Property, at: At): void {
  if (same(old, next)) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  const facts = { what: whatAt(at), old: old && shown(old), new: next && shown(next), here: shape.origin };
  report(at, `change-rule-${change}`, facts);
}

function shown({ rule, to, order, error }: Change): string {
  return [
    rule,
    ...(to === undefined ? [] : [`to ${short(to)}`]),
    ...(order === undefined ? [] : [`in the order of ${order}`]),
    ...(error === undefined ? [] : [`or ${error}`]),
  ].join(" ");
}
