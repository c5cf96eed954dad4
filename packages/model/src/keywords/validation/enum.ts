import type { Assertion } from "../keyword.js";
import { isSameJson } from "./const.js";

/** A value equals one of these. */
export const enumeration: Assertion<"enum"> = {
  name: "enum",
  types: [],
  testOf: ({ enum: values }) =>
    values === undefined ? undefined : (value) => values.some((each) => isSameJson(each, value)),
};
