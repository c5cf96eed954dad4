import type { Json, Shape } from "../model/api.js";
import { report, type At } from "./comparison.js";
import { won } from "./matched.js";
import { isNullable } from "./nulls.js";

/** Compares enums; a `const` counts as an enum of one value. */
export function enums(old: Shape, next: Shape, at: At): void {
  const ignoresNull = isNullable(old) !== isNullable(next); // which `nulls` reports
  const [before, after] = [valuesOf(old, ignoresNull), valuesOf(next, ignoresNull)];
  const here = next.origin;
  const { direction } = at;
  if (before === undefined && after !== undefined)
    report(at, `${direction}-enum-added`, { new: after.join(", "), here });
  if (before !== undefined && after === undefined)
    report(at, `${direction}-enum-removed`, { old: before.join(", "), here });
  if (before === undefined || after === undefined) return;
  const { added, removed } = won(before, after);
  for (const value of added) report(at, `${direction}-enum-value-added`, { new: value, here });
  for (const value of removed) report(at, `${direction}-enum-value-removed`, { old: value, here });
}

function valuesOf(shape: Shape, ignoresNull: boolean): readonly string[] | undefined {
  const values: readonly Json[] | undefined = shape.const === undefined ? shape.enum : [shape.const];
  return values?.filter((value) => !(ignoresNull && value === null)).map((value) => JSON.stringify(value));
}
