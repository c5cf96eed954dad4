import { isLinearPattern, linearPattern } from "@plumbline/server-runtime/validator/patterns";

/** What tests texts, such as a `RegExp`. Its text identifies it. */
export interface CompiledPattern extends Pick<RegExp, "test"> {
  toString(): string;
}

const compiled = new Map<string, CompiledPattern>();

/** Patterns of cases contain values of one run, so most are used once. */
const maxCompiled = 1000;

/** Compiles a pattern, with the flag `u` if the pattern allows it: patterns for other languages have escapes that `u` rejects. */
export function compilePattern(pattern: string): CompiledPattern {
  const cached = compiled.get(pattern);
  if (cached !== undefined) return cached;
  if (compiled.size >= maxCompiled) compiled.clear();
  const expression = compileExpression(pattern);
  compiled.set(pattern, expression);
  return expression;
}

/**
 * The texts are those of any server, so that a pattern with choices takes linear time. Where no matcher does, as with a backreference, a longer text
 * matches: each further character can double the time.
 */
function compileExpression(pattern: string): CompiledPattern {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
  const hasChoices = /[*+?{|]/.test(pattern);
  if (!hasChoices) return expression;
  const toString = (): string => String(expression);
  if (isLinearPattern(pattern)) return { ...linearPattern(pattern), toString };
  return { test: (text) => text.length > maxBacktrackedLength || expression.test(text), toString };
}

const maxBacktrackedLength = 16;
