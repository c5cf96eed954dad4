import { testForType, type Assertion } from "../keyword.js";
import { regExpFlags } from "../../schemas/regular-expressions.js";
import { measures } from "../measure.js";

/** A text matches this regular expression, anywhere. */
export const pattern: Assertion<"pattern"> = {
  name: "pattern",
  types: measures.characters.types,
  testOf: testForType("pattern", measures.characters.isMeasured, (text, stated) => matchesPattern(stated, text)),
};

/** True when a text matches a pattern, or when the pattern is not a JavaScript regular expression. */
export function matchesPattern(stated: string, text: string): boolean {
  if (!known.has(stated)) known.set(stated, expressionOf(stated));
  return known.get(stated)?.test(text) ?? true;
}

/** Cached, since a description has few patterns and many texts are tested. */
const known = new Map<string, RegExp | undefined>();

function expressionOf(stated: string): RegExp | undefined {
  const flags = regExpFlags(stated);
  return flags === undefined ? undefined : new RegExp(stated, flags);
}
