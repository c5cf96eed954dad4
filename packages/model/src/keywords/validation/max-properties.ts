import { upperBound, type Bound } from "../bound.js";

/** An object has at most this many properties. */
export const maxProperties: Bound<"maxProperties"> = upperBound("maxProperties", { measure: "properties" });
