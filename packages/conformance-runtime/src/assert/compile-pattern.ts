const compiled = new Map<string, RegExp>();

/** Patterns of cases contain values of one run, so most are used once. */
const maxCompiled = 1000;

/** Compiles a pattern, with the flag `u` if the pattern allows it: patterns for other languages have escapes that `u` rejects. */
export function compilePattern(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= maxCompiled) compiled.clear();
  const expression = compileExpression(pattern);
  compiled.set(pattern, expression);
  return expression;
}

function compileExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
