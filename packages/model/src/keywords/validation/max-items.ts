import { upperBound, type Bound } from "../bound.js";

/** An array has at most this many items. */
export const maxItems: Bound<"maxItems"> = upperBound("maxItems", { measure: "items" });
