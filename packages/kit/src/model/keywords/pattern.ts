import {
  boundedPattern,
  isLinearPattern,
  linearPattern,
  type PatternMatcher,
} from "@plumbline/server-runtime/http/patterns";
import { isValidPattern } from "../schemas/regular-expressions.js";

export { isLinearPattern };

/**
 * True when a text matches a pattern, or when the pattern is not a JavaScript regular expression. Both may come from anyone, so that only
 * texts of a few characters are matched with a backreference, and other ones match.
 */
export function matchesPattern(stated: string, text: string): boolean {
  if (!matchers.has(stated)) matchers.set(stated, matchersOf(stated));
  const { expression, careful } = matchers.get(stated) ?? {};
  const isFast = text.length <= (fastLengths.get(stated) ?? 0);
  return (isFast ? expression : careful)?.test(text) ?? true;
}

/**
 * Records up to which length of texts `RegExp` is provably fast with a pattern, as the reader of a description measures it. Otherwise
 * `matchesPattern` takes the matcher that is linear, and a hundred times slower.
 */
export function recordFastLength(pattern: string, length: number): void {
  fastLengths.set(pattern, length);
}

const fastLengths = new Map<string, number>();

interface Matchers {
  readonly expression: RegExp;
  /** Linear, or for short texts only. */
  readonly careful: PatternMatcher;
}

/** Cached, since a description has few patterns and many texts are tested. */
const matchers = new Map<string, Matchers | undefined>();

function matchersOf(stated: string): Matchers | undefined {
  if (!isValidPattern(stated)) return undefined;
  const careful = isLinearPattern(stated) ? linearPattern(stated) : boundedPattern(stated, maxBoundedLength);
  return { expression: new RegExp(stated, "u"), careful };
}

/** With a backreference, each further character can double the time. */
const maxBoundedLength = 16;
