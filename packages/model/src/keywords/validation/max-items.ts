import { upperBound, type BoundKeyword } from "../bound.js";

/** An array has at most this many items. */
export const maxItems: BoundKeyword<"maxItems"> = upperBound("maxItems", { measure: "items" });
