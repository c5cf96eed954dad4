import { lowerBound, type BoundKeyword } from "../bound.js";

/** At least this many items match `contains`: one if it is absent. Without `contains` it has no meaning. */
export const minContains: BoundKeyword<"minContains"> = lowerBound("minContains", {
  measure: "items",
  countsMatches: true,
  limitOf: ({ minContains: least = 1, contains }) => ({
    value: contains === undefined ? 0 : least,
    isExclusive: false,
  }),
});
