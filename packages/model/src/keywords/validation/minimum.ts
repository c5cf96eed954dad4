import { lowerBound, type BoundKeyword } from "../bound.js";
import { stricterLimit } from "../stricter-limit.js";

/** A number is this or greater. Together with `exclusiveMinimum`, the stricter of the two applies. */
export const minimum: BoundKeyword<"minimum"> = lowerBound("minimum", {
  measure: "number",
  limitOf: (schema) =>
    stricterLimit(schema, { inclusive: schema.minimum, exclusive: schema.exclusiveMinimum, sign: 1 }),
});
