import { isValidPattern } from "../schemas/regular-expressions.js";

/** True when a text matches a pattern, or when the pattern is not a JavaScript regular expression. */
export function matchesPattern(stated: string, text: string): boolean {
  if (!expressions.has(stated)) expressions.set(stated, expressionOf(stated));
  return expressions.get(stated)?.test(text) ?? true;
}

/** Cached, since a description has few patterns and many texts are tested. */
const expressions = new Map<string, RegExp | undefined>();

function expressionOf(stated: string): RegExp | undefined {
  return isValidPattern(stated) ? new RegExp(stated, "u") : undefined;
}
