/**
 * Returns the flags with which JavaScript evaluates a pattern of a description: `u`, or none where the pattern is only
 * valid that way. Returns `undefined` for a pattern that JavaScript cannot evaluate, such as `(?i)a` or `\Aa\z`.
 */
export function regExpFlags(pattern: string): "u" | "" | undefined {
  if (isValidRegExp(pattern, "u")) return "u";
  return isValidRegExp(pattern, "") && !otherDialects.test(pattern) ? "" : undefined;
}

/**
 * Constructs of other dialects that are also valid without the `u` flag, with another meaning: `\z` would be the letter
 * z, and `[[:alpha:]]` a class of the letters in it. A pair of backslashes is a backslash.
 */
const otherDialects = /(?<!\\)(?:\\\\)*(?:\\(?![bBcdDfknrsStuvwWx])[A-Za-z]|\\u\{|\[\[:\^?[a-z]+:\])/;

function isValidRegExp(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
