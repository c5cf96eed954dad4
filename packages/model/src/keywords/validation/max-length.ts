import { upperBound, type BoundKeyword } from "../bound.js";

/** A text has at most this many characters: code points, not UTF-16 units. */
export const maxLength: BoundKeyword<"maxLength"> = upperBound("maxLength", { measure: "characters" });
