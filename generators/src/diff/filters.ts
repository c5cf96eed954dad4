import type { Shape } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { won } from "./matched.js";
import { listed } from "./short.js";

/** Compares the fields by which lists can be filtered, and their operators. */
export function filters({ filterable: old }: Shape, { filterable: next, origin: here }: Shape, at: At): void {
  const what = whatAt(at);
  if (old === undefined) return report(at, "filter-added", { what, here });
  if (next === undefined) return report(at, "filter-removed", { what, here });
  const [before, after] = [old.operators, next.operators];
  if (before === undefined && after === undefined) return;
  // Without a list, every operator of the type is allowed.
  if (after === undefined)
    return report(at, "filter-operator-added", { what, new: "every operator of its type", here });
  if (before === undefined)
    return report(at, "filter-operator-removed", { what, old: `every operator but ${listed(after)}`, here });
  const { added, removed } = won(before, after);
  if (added.length > 0) report(at, "filter-operator-added", { what, new: listed(added), here });
  if (removed.length > 0) report(at, "filter-operator-removed", { what, old: listed(removed), here });
}
