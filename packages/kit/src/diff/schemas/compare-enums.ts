import type { Json, Schema } from "../../model/index.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { compareNames } from "../match-lists.js";
import { matchRenamedValues } from "../match-renamed-values.js";
import { isNullable } from "./compare-nulls.js";

/** Compares enums; a `const` counts as an enum of one value. */
export function compareEnums(old: Schema, next: Schema, at: ComparisonContext): void {
  const ignoresNull = isNullable(old) !== isNullable(next); // which `nulls` reports
  const [before, after] = [enumValues(old, ignoresNull), enumValues(next, ignoresNull)];
  const here = next.origin;
  const { direction } = at;
  if (before === undefined && after !== undefined)
    reportDifference(at, `${direction}-enum-added`, { new: after.join(", "), newOrigin: here });
  if (before !== undefined && after === undefined)
    reportDifference(at, `${direction}-enum-removed`, { old: before.join(", "), newOrigin: here });
  if (before === undefined || after === undefined) return;
  const { added, removed } = compareNames(before, after);
  for (const value of added) reportDifference(at, `${direction}-enum-value-added`, { new: value, newOrigin: here });
  const newValues = matchRenamedValues({ removed: removed.filter(isText), added: added.filter(isText) });
  for (const value of removed) {
    const renamed = newValues.get(value);
    const renamedTo = renamed === undefined ? undefined : String(JSON.parse(renamed));
    reportDifference(at, `${direction}-enum-value-removed`, { old: value, newOrigin: here, renamedTo });
  }
}

/** Whether a value in JSON is a text. */
function isText(json: string): boolean {
  return json.startsWith('"');
}

function enumValues(schema: Schema, ignoresNull: boolean): readonly string[] | undefined {
  const values: readonly Json[] | undefined = schema.const === undefined ? schema.enum : [schema.const];
  return values?.filter((value) => !(ignoresNull && value === null)).map((value) => JSON.stringify(value));
}
