import {
  bounds,
  numericKeywords,
  type NumericKeyword,
  type NumericKeywordName,
  type Schema,
} from "../../model/index.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";

/** Compares bounds of lengths, numbers and counts. */
export function compareBounds(old: Schema, next: Schema, at: ComparisonContext): void {
  for (const keyword of numericKeywords) {
    const change = keyword.changeOf(old, next);
    if (change === undefined) continue;
    const format = formatterOf(keyword);
    reportDifference(at, `${at.direction}-bound-${change}`, {
      old: format(old),
      new: format(next),
      newOrigin: next.origin,
    });
  }
}

/** The rows of a comparison table for all keywords with numbers. */
export const boundRows: Readonly<Record<NumericKeywordName, typeof compareBounds>> = Object.fromEntries(
  numericKeywords.map(({ name }) => [name, compareBounds]),
) as Record<NumericKeywordName, typeof compareBounds>;

function formatterOf({ name }: NumericKeyword): (schema: Schema) => string {
  const bound = bounds.find((each) => each.name === name);
  if (bound === undefined) return (schema) => (schema[name] === undefined ? "none" : `a multiple of ${schema[name]}`);
  return (schema) => {
    const { value, isExclusive } = bound.limitOf(schema);
    return Number.isFinite(value) ? `${name} ${value}${isExclusive ? " exclusive" : ""}` : "none";
  };
}
