import type { JsonType } from "../api.js";
import { isJsonObject } from "../json-values.js";
import { characterCount } from "./character-count.js";

/** What bounds limit: the size of a value, or a number itself. */
export interface Measure<Value> {
  readonly types: readonly JsonType[];
  readonly isMeasured: (value: unknown) => value is Value;
  /** Returns a number with the sign of the size minus the limit. */
  readonly compare: (value: Value, limit: number) => number;
  /** The size of the smallest value. */
  readonly least: number;
}

export type MeasureName = "characters" | "number" | "items" | "properties";

/** The measures, by what they count. */
export const measures: {
  readonly characters: Measure<string>;
  readonly number: Measure<number>;
  readonly items: Measure<readonly unknown[]>;
  readonly properties: Measure<Readonly<Record<string, unknown>>>;
} = {
  characters: {
    types: ["string"],
    isMeasured: (value) => typeof value === "string",
    compare: compareLength,
    least: 0,
  },
  number: {
    types: ["number", "integer"],
    isMeasured: (value) => typeof value === "number",
    compare: (value, limit) => value - limit,
    least: Number.NEGATIVE_INFINITY,
  },
  items: {
    types: ["array"],
    isMeasured: (value) => Array.isArray(value),
    compare: ({ length }, limit) => length - limit,
    least: 0,
  },
  properties: {
    types: ["object"],
    isMeasured: isJsonObject,
    compare: (value, limit) => Object.keys(value).length - limit,
    least: 0,
  },
};

/** Counts code points only if the number of UTF-16 units, of which each takes one or two, does not decide. */
function compareLength(text: string, limit: number): number {
  if (text.length < limit) return -1;
  return text.length > 2 * limit ? 1 : characterCount(text) - limit;
}
