import { upperBound, type Bound } from "../bound.js";

/** A text has at most this many characters: code points, not UTF-16 units. */
export const maxLength: Bound<"maxLength"> = upperBound("maxLength", { measure: "characters" });
