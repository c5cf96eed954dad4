import { lowerBound, type BoundKeyword } from "../bound.js";
import { minimum } from "./minimum.js";

/** A number is greater than this. `minimum` states the limit that applies of the two, and its changes. */
export const exclusiveMinimum: BoundKeyword<"exclusiveMinimum"> = {
  ...lowerBound("exclusiveMinimum", { measure: "number", isExclusive: true, limitOf: minimum.limitOf }),
  changeOf: () => undefined,
};
