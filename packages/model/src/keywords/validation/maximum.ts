import { upperBound, type BoundKeyword } from "../bound.js";
import { stricterLimit } from "../stricter-limit.js";

/** A number is this or less. Together with `exclusiveMaximum`, the stricter of the two applies. */
export const maximum: BoundKeyword<"maximum"> = upperBound("maximum", {
  measure: "number",
  limitOf: (schema) =>
    stricterLimit(schema, { inclusive: schema.maximum, exclusive: schema.exclusiveMaximum, sign: -1 }),
});
