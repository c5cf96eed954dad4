/**
 * The first part of a regular expression that RE2 (Go) or Rust's regex crate rejects, such as `(?=`; undefined where both accept it. The
 * pattern has to be one that JavaScript accepts with the `u` flag.
 */
export function unportable(pattern: string): string | undefined {
  for (const [token] of pattern.matchAll(tokens)) {
    const found = token.startsWith("[") ? rejectedInClass(token) : isRejected(token) ? token : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

// Escapes, classes in brackets, lookaround, counts, and everything else.
const tokens =
  /\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\{\d+(?:,\d*)?\}|./gsu;

function isRejected(token: string): boolean {
  if (/^\{\d/.test(token)) return (token.match(/\d+/g) ?? []).some((each) => Number(each) > mostRepeats);
  // Both know the general categories of Unicode alone.
  if (/^\\p\{/i.test(token)) return !/^\\p\{[CLMNPSZ][a-z]?\}$/i.test(token);
  return /^(?:\(\?<?[=!]|\\[0-9cku])/.test(token);
}

// RE2's limit of a count.
const mostRepeats = 1000;

/** RE2 has no empty class; Rust reads `[`, `&&`, `--` and `~~` in a class as operations. */
function rejectedInClass(token: string): string | undefined {
  const content = token.slice(1, -1);
  const plain = content.replace(/^\^/, "").replaceAll(/\\./gsu, "  ");
  if (plain === "" || /\[|&&|--|~~/.test(plain)) return token;
  return [...content.matchAll(tokens)].map(([each]) => each).find((each) => each.startsWith("\\") && isRejected(each));
}
