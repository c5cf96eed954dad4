import type { Visibility } from "../model/api.js";
import type { Origin } from "../problem.js";
import { report, whatAt, type At } from "./comparison.js";
import { same } from "./same.js";
import { listed, short } from "./short.js";

/** Compares visibility rules. */
export function visible({ visible: before }: Shown, { visible: next, origin: here }: Shown, at: At): void {
  const old =
    before?.in === undefined ? before : { ...before, in: before.in.map((each) => at.comparison.called(each)) };
  if (same(old, next)) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  report(at, `visibility-${change}`, { what: whatAt(at), old: old && shown(old), new: next && shown(next), here });
}

interface Shown {
  readonly visible?: Visibility;
  readonly origin: Origin;
}

function shown({ in: operations, when, otherwise, secret }: Visibility): string {
  return [
    ...(operations === undefined ? [] : [`in ${listed(operations)}`]),
    ...(when === undefined ? [] : [`when ${short(when)}`]),
    ...(otherwise === undefined ? [] : [`otherwise ${short(otherwise)}`]),
    ...(secret === undefined ? [] : ["as a secret"]),
  ].join(" ");
}
