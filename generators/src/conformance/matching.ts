/** True where a text matches a pattern, or nobody can tell, because the pattern is of another language. */
export function isMatch(pattern: string, text: string): boolean {
  if (!known.has(pattern)) known.set(pattern, expressionOf(pattern));
  return known.get(pattern)?.test(text) ?? true;
}

/** A description has few patterns, and very many texts are tried. */
const known = new Map<string, RegExp | undefined>();

/** With `u` where the pattern allows it: descriptions written for other languages escape more than it permits. */
function expressionOf(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""])
    try {
      return new RegExp(pattern, flags);
    } catch {
      // The next flags may do.
    }
  return undefined;
}
