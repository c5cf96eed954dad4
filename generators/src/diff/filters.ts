import type { Shape } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { won } from "./matched.js";
import { listed } from "./short.js";

/** By which fields lists can be filtered, and how. */
export function filters({ filterable: old }: Shape, { filterable: next, origin: here }: Shape, at: At): void {
  const what = whatAt(at);
  if (old === undefined) return report(at, "filter-added", { what, here });
  if (next === undefined) return report(at, "filter-removed", { what, here });
  const [before, after] = [old.operators, next.operators];
  if (before === undefined && after === undefined) return;
  // Whatever the type allows is more than any list.
  if (after === undefined) return report(at, "filter-operator-added", { what, new: "whatever its type allows", here });
  if (before === undefined)
    return report(at, "filter-operator-removed", { what, old: `anything but ${listed(after)}`, here });
  const { added, removed } = won(before, after);
  if (added.length > 0) report(at, "filter-operator-added", { what, new: listed(added), here });
  if (removed.length > 0) report(at, "filter-operator-removed", { what, old: listed(removed), here });
}
