import { upperBound, type BoundKeyword } from "../bound.js";

/** At most this many items match `contains`. Without `contains` it has no meaning. */
export const maxContains: BoundKeyword<"maxContains"> = upperBound("maxContains", {
  measure: "items",
  countsMatches: true,
  limitOf: ({ maxContains: most = Number.POSITIVE_INFINITY, contains }) => ({
    value: contains === undefined ? Number.POSITIVE_INFINITY : most,
    isExclusive: false,
  }),
});
