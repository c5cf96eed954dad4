import type { Json } from "../api.js";
import { testForType, type Assertion, type NumericKeyword } from "./keyword.js";
import { measures } from "./measure.js";
import { matchesPattern } from "./pattern.js";

/** A value equals one of these. */
export const enumeration: Assertion<"enum"> = {
  name: "enum",
  types: [],
  testOf: ({ enum: values }) =>
    values === undefined ? undefined : (value) => values.some((each) => isSameJson(each, value)),
};

/** A value equals this one. */
export const constant: Assertion<"const"> = {
  name: "const",
  types: [],
  testOf: ({ const: only }) => (only === undefined ? undefined : (value) => isSameJson(only, value)),
};

/** The name of a form of text, or of a kind of number such as `int32`. What checks values knows the formats. */
export const format: Assertion<"format"> = { name: "format", types: ["string", "number", "integer"] };

/** A text matches this regular expression, anywhere. */
export const pattern: Assertion<"pattern"> = {
  name: "pattern",
  types: measures.characters.types,
  testOf: testForType("pattern", measures.characters.isMeasured, (text, stated) => matchesPattern(stated, text)),
};

/** A number is a multiple of this. */
export const multipleOf: NumericKeyword<"multipleOf"> = {
  name: "multipleOf",
  types: measures.number.types,
  testOf: testForType("multipleOf", measures.number.isMeasured, (value, step) => {
    const steps = value / step;
    return Math.abs(steps - Math.round(steps)) < 1e-9;
  }),
  combine: (a, b) => (a === b ? a : undefined),
  // A multiple of the old step is tighter, a divisor looser.
  changeOf: ({ multipleOf: old }, { multipleOf: next }) => {
    if (old === next) return undefined;
    if (next === undefined) return "loosened";
    if (old === undefined || isMultipleOf(next, old)) return "tightened";
    return isMultipleOf(old, next) ? "loosened" : "changed";
  },
};

/** No two items of an array are equal. */
export const uniqueItems: Assertion<"uniqueItems"> = {
  name: "uniqueItems",
  types: measures.items.types,
  testOf: testForType(
    "uniqueItems",
    measures.items.isMeasured,
    (items) => new Set(items.map((each) => JSON.stringify(each))).size === items.length,
  ),
};

/** An object with one of these properties has the properties that it depends on. */
export const dependentRequired: Assertion<"dependentRequired"> = {
  name: "dependentRequired",
  types: measures.properties.types,
  testOf: testForType("dependentRequired", measures.properties.isMeasured, (value, stated) =>
    Object.entries(stated).every(
      ([name, names]) => !Object.hasOwn(value, name) || names.every((each) => Object.hasOwn(value, each)),
    ),
  ),
};

/** Whether two values are the same JSON, with the properties of objects in the same order. */
function isSameJson(a: Json, b: unknown): boolean {
  if (typeof a !== "object" || a === null) return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Tolerates the error of binary fractions: 0.07 / 0.01 is slightly more than 7. */
function isMultipleOf(value: number, divisor: number): boolean {
  const times = value / divisor;
  return Math.abs(times - Math.round(times)) < times * 1e-9;
}
