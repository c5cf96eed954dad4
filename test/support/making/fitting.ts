import type { ValidateFunction } from "ajv";
import type * as fc from "fast-check";
import type { Made } from "./made.js";

/** Values that match completely. Throws if hardly any does. */
export function fitting(made: fc.Arbitrary<Made>, fits: ValidateFunction): fc.Arbitrary<Made> {
  let misses = 0;
  return made.filter(({ value }) => {
    misses = fits(value) ? 0 : misses + 1;
    if (misses > 1000)
      throw new Error(`nothing that is made fits: ${JSON.stringify(fits.errors)} ${JSON.stringify(value)}`);
    return misses === 0;
  });
}
