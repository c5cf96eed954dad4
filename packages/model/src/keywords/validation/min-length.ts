import { lowerBound, type BoundKeyword } from "../bound.js";

/** A text has at least this many characters: code points, not UTF-16 units. */
export const minLength: BoundKeyword<"minLength"> = lowerBound("minLength", { measure: "characters" });
