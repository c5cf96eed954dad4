/** True when a text matches a pattern, or when the pattern is not a JavaScript regular expression. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (!known.has(pattern)) known.set(pattern, expressionOf(pattern));
  return known.get(pattern)?.test(text) ?? true;
}

/** Cached, since a description has few patterns and many texts are tested. */
const known = new Map<string, RegExp | undefined>();

/** Uses the flag `u` if the pattern allows it: patterns written for other languages have escapes that `u` rejects. */
function expressionOf(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""])
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Tries the next flags.
    }
  return undefined;
}
