import { lowerBound, type BoundKeyword } from "../bound.js";

/** An object has at least this many properties. */
export const minProperties: BoundKeyword<"minProperties"> = lowerBound("minProperties", { measure: "properties" });
