import { RegExpParser, type AST } from "@eslint-community/regexpp";
import { isValidPattern } from "../../model/index.js";

/** The syntax of a pattern. Undefined for one that is not a regular expression of JavaScript. */
export function parsePattern(pattern: string): AST.Pattern | undefined {
  if (!patterns.has(pattern)) patterns.set(pattern, isValidPattern(pattern) ? parse(pattern) : undefined);
  return patterns.get(pattern);
}

const patterns = new Map<string, AST.Pattern | undefined>();

/** Undefined for syntax that JavaScript has and the parser does not know yet. */
function parse(pattern: string): AST.Pattern | undefined {
  try {
    return new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  } catch {
    return undefined;
  }
}
