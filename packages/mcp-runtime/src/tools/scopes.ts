import type { ScopeRules, ToolData } from "../toolset.js";

/** Splits the scopes of a token, as `--scopes` or a response has them. */
export function parseScopes(text: string, { separator }: ScopeRules): readonly string[] {
  return text
    .split(/\s/)
    .flatMap((part) => part.split(separator.trim() || " "))
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
}

/**
 * Returns the scopes that a token lacks for a tool: those of the alternative of which it has most. Empty if it lacks none.
 *
 * @param granted The scopes of the token. Undefined: unknown, so nothing is missing.
 */
export function missingScopes(
  { scopes = [], anonymous }: Pick<ToolData, "scopes" | "anonymous">,
  granted: readonly string[] | undefined,
  rules: ScopeRules,
): readonly string[] {
  if (granted === undefined || anonymous) return [];
  const missing = scopes.map((needed) =>
    needed.filter((scope) => !granted.some((each) => implies(each, scope, rules))),
  );
  return missing.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function implies(granted: string, needed: string, { all, levels }: ScopeRules): boolean {
  if (granted === needed || granted === all) return true;
  const [area, level] = splitScope(granted);
  const [neededArea, neededLevel] = splitScope(needed);
  return area === neededArea && impliedLevels(level, levels, new Set()).has(neededLevel);
}

function splitScope(scope: string): readonly [area: string, level: string] {
  const at = scope.indexOf(":");
  return at < 0 ? [scope, ""] : [scope.slice(0, at), scope.slice(at + 1)];
}

function impliedLevels(level: string, levels: ScopeRules["levels"], implied: Set<string>): ReadonlySet<string> {
  for (const each of Object.hasOwn(levels, level) ? (levels[level] ?? []) : []) {
    if (implied.has(each)) continue;
    implied.add(each);
    impliedLevels(each, levels, implied);
  }
  return implied;
}
