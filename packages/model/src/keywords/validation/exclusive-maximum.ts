import { upperBound, type BoundKeyword } from "../bound.js";
import { maximum } from "./maximum.js";

/** A number is less than this. `maximum` states the limit that applies of the two, and its changes. */
export const exclusiveMaximum: BoundKeyword<"exclusiveMaximum"> = {
  ...upperBound("exclusiveMaximum", { measure: "number", isExclusive: true, limitOf: maximum.limitOf }),
  changeOf: () => undefined,
};
