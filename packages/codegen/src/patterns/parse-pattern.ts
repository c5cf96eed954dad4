import { RegExpParser, type AST } from "@eslint-community/regexpp";
import { regExpFlags } from "@plumbline/model";

/** The syntax of a pattern. Undefined for one that is not a regular expression of JavaScript. */
export function parsePattern(pattern: string): AST.Pattern | undefined {
  if (!patterns.has(pattern)) {
    const flags = regExpFlags(pattern);
    patterns.set(pattern, flags === undefined ? undefined : parseWith(flags, pattern));
  }
  return patterns.get(pattern);
}

const patterns = new Map<string, AST.Pattern | undefined>();

/** Undefined for syntax that JavaScript has and the parser does not know yet. */
function parseWith(flags: string, pattern: string): AST.Pattern | undefined {
  try {
    return new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: flags.includes("u") });
  } catch {
    return undefined;
  }
}
