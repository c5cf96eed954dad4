import { lowerBound, type Bound } from "../bound.js";

/** An array has at least this many items. */
export const minItems: Bound<"minItems"> = lowerBound("minItems", { measure: "items" });
