import { boundedPattern, isLinearPattern, linearPattern, type PatternMatcher } from "@plumbline/http-runtime/patterns";
import { isValidPattern } from "../schemas/regular-expressions.js";

export { isLinearPattern };

/**
 * True when a text matches a pattern, or when the pattern is not a JavaScript regular expression. Both may come from anyone, so that only
 * texts of a few characters are matched with a backreference, and other ones match.
 */
export function matchesPattern(stated: string, text: string): boolean {
  if (!matchers.has(stated)) matchers.set(stated, matcherOf(stated));
  return matchers.get(stated)?.test(text) ?? true;
}

/** Cached, since a description has few patterns and many texts are tested. */
const matchers = new Map<string, PatternMatcher | undefined>();

function matcherOf(stated: string): PatternMatcher | undefined {
  if (!isValidPattern(stated)) return undefined;
  return isLinearPattern(stated) ? linearPattern(stated) : boundedPattern(stated, maxBoundedLength);
}

/** With a backreference, each further character can double the time. */
const maxBoundedLength = 16;
