/**
 * Returns a pattern of a description as JavaScript evaluates it with the flag `u`: `\_` becomes `_`, and `[\w-.]` becomes `[\w\-.]`. A valid
 * pattern stays as it is. Returns `undefined` for a pattern that JavaScript cannot evaluate, such as `(?i)a` or `\Aa\z`.
 */
export function toUnicodePattern(pattern: string): string | undefined {
  if (isValidPattern(pattern)) return pattern;
  if (otherDialects.test(pattern)) return undefined;
  const rewritten = rewrite(pattern);
  return isValidPattern(rewritten) ? rewritten : undefined;
}

/** True if JavaScript evaluates a pattern with the flag `u`. */
export function isValidPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** Constructs of other dialects that are also characters of JavaScript: `[[:alpha:]]` and `a{,3}`. */
const otherDialects = /\[:\^?[a-z]+:\]|\{,\d+\}/;

const token = /\\(?:[pP]\{[^}]*\}|.)|\[\^?|\{\d+(?:,\d*)?\}|[\]{}-]/gsu;

/** Escapes what has to be escaped, and nothing else. */
function rewrite(pattern: string): string {
  let isInClass = false;
  let endOfSet = -1;
  return pattern.replaceAll(token, (sign, offset: number) => {
    const end = offset + sign.length;
    if (sign.startsWith("\\")) {
      if (/^\\[dDsSwWpP]/.test(sign)) endOfSet = end;
      const isNeeded = /^\\[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(sign) || (isInClass && sign === "\\-");
      return isNeeded ? sign : sign.slice(1);
    }
    if (!isInClass) {
      isInClass = sign.startsWith("[");
      return /^[\]{}]$/.test(sign) ? `\\${sign}` : sign;
    }
    if (sign === "]") isInClass = false;
    // A range is between characters.
    const isBesideSet = endOfSet === offset || /^\\[dDsSwWpP]/.test(pattern.slice(end, end + 2));
    return sign === "-" && isBesideSet ? "\\-" : sign;
  });
}
