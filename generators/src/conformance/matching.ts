/** True where a text matches a pattern, or nobody can tell, because the pattern is of another language. */
export function isMatch(pattern: string, text: string): boolean {
  return expressionOf(pattern)?.test(text) ?? true;
}

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
