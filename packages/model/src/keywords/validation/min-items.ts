import { lowerBound, type BoundKeyword } from "../bound.js";

/** An array has at least this many items. */
export const minItems: BoundKeyword<"minItems"> = lowerBound("minItems", { measure: "items" });
