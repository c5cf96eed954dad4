import { lowerBound, type Bound } from "../bound.js";

/** An object has at least this many properties. */
export const minProperties: Bound<"minProperties"> = lowerBound("minProperties", { measure: "properties" });
