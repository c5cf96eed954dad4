import type { ScopeGrammar } from "./security.js";

/** Whether the scopes of a token include all required ones. */
export function includesScopes(
  scopes: string,
  required: readonly string[],
  grammar: ScopeGrammar | undefined,
): boolean {
  if (required.length === 0) return true;
  const tokenScopes = scopesIn(scopes, grammar);
  return tokenScopes === allScopes || required.every((each) => tokenScopes.has(each));
}

/** Whether scopes stay within a ceiling. */
export function isWithinScopes(scopes: string, ceiling: string, grammar: ScopeGrammar): boolean {
  const allowed = scopesIn(ceiling, grammar);
  if (allowed === allScopes) return true;
  return scopes.split(grammar.separator).every((each) => allowed.has(each.trim()));
}

const allScopes: ReadonlySet<string> = new Set(["*"]);

// A cache: clients use a token many times, and few different ones at once.
const scopeCache = new WeakMap<object, Map<string, ReadonlySet<string>>>();
const maxCachedScopes = 1_000;
const withoutGrammar = {};

/** The scopes of a text with all that they imply. */
function scopesIn(scopes: string, grammar: ScopeGrammar | undefined): ReadonlySet<string> {
  const owner = grammar ?? withoutGrammar;
  let cache = scopeCache.get(owner);
  if (cache === undefined) scopeCache.set(owner, (cache = new Map()));
  const cached = cache.get(scopes);
  if (cached !== undefined) return cached;
  const parsed = parseScopes(scopes, grammar);
  if (cache.size >= maxCachedScopes) cache.clear();
  cache.set(scopes, parsed);
  return parsed;
}

/** A token may name levels such as `toString`, which every object inherits. */
function impliedBy(level: string, { levels }: ScopeGrammar): readonly string[] {
  return Object.hasOwn(levels, level) ? (levels[level] ?? []) : [];
}

function parseScopes(scopes: string, grammar: ScopeGrammar | undefined): ReadonlySet<string> {
  const names = scopes
    .split(grammar?.separator ?? /[ ,]/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (grammar === undefined) return new Set(names);
  if (names.includes(grammar.all)) return allScopes;
  const included = new Set<string>();
  const add = (area: string, level: string): void => {
    if (included.has(`${area}:${level}`)) return;
    included.add(`${area}:${level}`);
    for (const implied of impliedBy(level, grammar)) add(area, implied);
  };
  for (const each of names) {
    const colon = each.indexOf(":");
    if (colon !== -1) add(each.slice(0, colon), each.slice(colon + 1));
  }
  return included;
}
