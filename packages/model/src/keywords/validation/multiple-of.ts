import { testForType, type NumericKeyword } from "../keyword.js";
import { measures } from "../measure.js";

/** A number is a multiple of this. */
export const multipleOf: NumericKeyword<"multipleOf"> = {
  name: "multipleOf",
  types: measures.number.types,
  testOf: testForType("multipleOf", measures.number.isMeasured, (value, step) => {
    const steps = value / step;
    return Math.abs(steps - Math.round(steps)) < 1e-9;
  }),
  combine: (a, b) => (a === b ? a : undefined),
  // A multiple of the old step is tighter. A step that is neither multiple nor divisor counts as tighter.
  changeOf: ({ multipleOf: old }, { multipleOf: next }) => {
    if (old === next) return undefined;
    return next === undefined || (old !== undefined && isMultipleOf(old, next)) ? "loosened" : "tightened";
  },
};

/** Tolerates the error of binary fractions: 0.07 / 0.01 is slightly more than 7. */
function isMultipleOf(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < times * 1e-9;
}
