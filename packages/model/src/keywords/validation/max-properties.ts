import { upperBound, type BoundKeyword } from "../bound.js";

/** An object has at most this many properties. */
export const maxProperties: BoundKeyword<"maxProperties"> = upperBound("maxProperties", { measure: "properties" });
