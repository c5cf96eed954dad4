import type { BoundKeyword } from "./bound.js";
import type { NumericKeywordName } from "./keyword.js";
import { bounds } from "./keywords.js";
import type { MeasureName } from "./measure.js";

/** The limits of a size or a number. */
export interface SizeLimits {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** The bounds of a schema, of the model or of a JSON Schema. */
export type StatedBounds = { readonly [Name in NumericKeywordName]?: number | undefined };

/** The keywords of limits, by what they count. Limits are inclusive, but for `exclusiveNumber`; `matches` are the items that match `contains`. */
const sizeKeywords: Readonly<Record<SizeName, SizeKeywords>> = {
  characters: namesOf("characters"),
  number: namesOf("number"),
  exclusiveNumber: namesOf("number", { isExclusive: true }),
  items: namesOf("items"),
  properties: namesOf("properties"),
  matches: namesOf("items", { countsMatches: true }),
};

type SizeName = MeasureName | "exclusiveNumber" | "matches";

interface SizeKeywords {
  readonly least: NumericKeywordName;
  readonly most: NumericKeywordName;
}

/** Returns the strictest limits that several schemas of one value state. */
export function sizeLimits(size: SizeName, schemas: readonly StatedBounds[]): SizeLimits {
  const { least, most } = sizeKeywords[size];
  return { least: strictestBound(least, schemas), most: strictestBound(most, schemas) };
}

/** Returns the strictest limit that several schemas of one value state with this keyword. */
export function strictestBound(name: NumericKeywordName, schemas: readonly StatedBounds[]): number | undefined {
  const stated = schemas.flatMap((each) => each[name] ?? []);
  const bound = bounds.find((each) => each.name === name);
  return stated.length === 0 || bound === undefined ? stated[0] : stated.reduce((a, b) => bound.combine(a, b));
}

/** Returns the keywords that state these limits, the lower one first. */
export function statedLimits<Value>(
  size: SizeName,
  { least, most }: { readonly least?: Value | undefined; readonly most?: Value | undefined },
): Readonly<Record<string, Value>> {
  const keywords = sizeKeywords[size];
  return {
    ...(least === undefined ? {} : { [keywords.least]: least }),
    ...(most === undefined ? {} : { [keywords.most]: most }),
  };
}

/** The names of the keywords that state limits. */
export function limitNames(size: SizeName): readonly NumericKeywordName[] {
  const { least, most } = sizeKeywords[size];
  return [least, most];
}

function namesOf(
  measure: MeasureName,
  { isExclusive = false, countsMatches = false }: Partial<Pick<BoundKeyword, "isExclusive" | "countsMatches">> = {},
): SizeKeywords {
  const name = (side: "lower" | "upper"): NumericKeywordName => {
    const bound = bounds.find(
      (each) =>
        each.measure === measure &&
        each.side === side &&
        each.isExclusive === isExclusive &&
        each.countsMatches === countsMatches,
    );
    if (bound === undefined) throw new Error(`There is no ${side} bound of ${measure}.`);
    return bound.name;
  };
  return { least: name("lower"), most: name("upper") };
}
