import type { Assertion } from "./keyword.js";

/** The name of a form of text, or of a kind of number such as `int32`. What checks values knows the formats. */
export const format: Assertion<"format"> = { name: "format", types: ["string", "number", "integer"] };
