import type { Json } from "../../api.js";
import type { Assertion } from "../keyword.js";

/** A value equals this one. */
export const constant: Assertion<"const"> = {
  name: "const",
  types: [],
  testOf: ({ const: only }) => (only === undefined ? undefined : (value) => isSameJson(only, value)),
};

/** Whether two values are the same JSON, with the properties of objects in the same order. */
export function isSameJson(a: Json, b: unknown): boolean {
  if (typeof a !== "object" || a === null) return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}
