import { lowerBound, upperBound, type BoundKeyword } from "./bound.js";
import { stricterLimit } from "./stricter-limit.js";

/** A text has at least this many characters: code points, not UTF-16 units. */
export const minLength: BoundKeyword<"minLength"> = lowerBound("minLength", { measure: "characters" });

/** A text has at most this many characters: code points, not UTF-16 units. */
export const maxLength: BoundKeyword<"maxLength"> = upperBound("maxLength", { measure: "characters" });

/** A number is this or greater. Together with `exclusiveMinimum`, the stricter of the two applies. */
export const minimum: BoundKeyword<"minimum"> = lowerBound("minimum", {
  measure: "number",
  limitOf: (schema) =>
    stricterLimit(schema, { inclusive: schema.minimum, exclusive: schema.exclusiveMinimum, sign: 1 }),
});

/** A number is this or less. Together with `exclusiveMaximum`, the stricter of the two applies. */
export const maximum: BoundKeyword<"maximum"> = upperBound("maximum", {
  measure: "number",
  limitOf: (schema) =>
    stricterLimit(schema, { inclusive: schema.maximum, exclusive: schema.exclusiveMaximum, sign: -1 }),
});

/** A number is greater than this. `minimum` states the limit that applies of the two, and its changes. */
export const exclusiveMinimum: BoundKeyword<"exclusiveMinimum"> = {
  ...lowerBound("exclusiveMinimum", { measure: "number", isExclusive: true, limitOf: minimum.limitOf }),
  changeOf: () => undefined,
};

/** A number is less than this. `maximum` states the limit that applies of the two, and its changes. */
export const exclusiveMaximum: BoundKeyword<"exclusiveMaximum"> = {
  ...upperBound("exclusiveMaximum", { measure: "number", isExclusive: true, limitOf: maximum.limitOf }),
  changeOf: () => undefined,
};

/** At least this many items match `contains`: one if it is absent. Without `contains` it has no meaning. */
export const minContains: BoundKeyword<"minContains"> = lowerBound("minContains", {
  measure: "items",
  countsMatches: true,
  limitOf: ({ minContains: least = 1, contains }) => ({
    value: contains === undefined ? 0 : least,
    isExclusive: false,
  }),
});

/** At most this many items match `contains`. Without `contains` it has no meaning. */
export const maxContains: BoundKeyword<"maxContains"> = upperBound("maxContains", {
  measure: "items",
  countsMatches: true,
  limitOf: ({ maxContains: most = Number.POSITIVE_INFINITY, contains }) => ({
    value: contains === undefined ? Number.POSITIVE_INFINITY : most,
    isExclusive: false,
  }),
});

/** An array has at least this many items. */
export const minItems: BoundKeyword<"minItems"> = lowerBound("minItems", { measure: "items" });

/** An array has at most this many items. */
export const maxItems: BoundKeyword<"maxItems"> = upperBound("maxItems", { measure: "items" });

/** An object has at least this many properties. */
export const minProperties: BoundKeyword<"minProperties"> = lowerBound("minProperties", { measure: "properties" });

/** An object has at most this many properties. */
export const maxProperties: BoundKeyword<"maxProperties"> = upperBound("maxProperties", { measure: "properties" });
