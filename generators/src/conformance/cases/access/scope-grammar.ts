import type { Template } from "@plumbline/conformance-runtime";
import { type Operation, type ScopeGrammar, memoize, headerNames, ownValue } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";

/** The scopes that an operation requires. Undefined when it requires none. */
export function requiredScopesOf({ security }: Operation, { scheme }: ScopeGrammar): readonly string[] | undefined {
  return security.flatMap((alternative) => alternative.filter((each) => each.scheme === scheme))[0]?.scopes;
}

const namesOf = memoize(headerNames);

/** The expected scope headers, if the description has them. */
export function expectedScopeHeaders(
  { api }: ConformanceContext,
  { held, wanted }: { readonly held: string; readonly wanted: string },
): { readonly expect?: { readonly headers: Readonly<Record<string, Template>> } } {
  const { scopes, acceptedScopes } = namesOf(api);
  const headers = {
    ...(scopes === undefined ? {} : { [scopes.toLowerCase()]: { const: held } }),
    ...(acceptedScopes === undefined ? {} : { [acceptedScopes.toLowerCase()]: { const: wanted } }),
  };
  return Object.keys(headers).length === 0 ? {} : { expect: { headers } };
}

/** True when a level includes another. */
export function levelImplies({ levels }: Pick<ScopeGrammar, "levels">, level: string, wanted: string): boolean {
  const visited = new Set<string>();
  const reaches = (each: string): boolean => {
    if (each === wanted) return true;
    if (visited.has(each)) return false;
    visited.add(each);
    return (ownValue(levels, each) ?? []).some(reaches);
  };
  return reaches(level);
}

/** The level that includes all others. */
export function highestLevel({ levels }: Pick<ScopeGrammar, "levels">): string {
  const names = Object.keys(levels);
  const reach = (level: string): number => names.filter((each) => levelImplies({ levels }, level, each)).length;
  return names.toSorted((a, b) => reach(b) - reach(a))[0] ?? "";
}

/** True when scopes are within others. */
export function scopesWithin(grammar: ScopeGrammar, scopes: string, held: string): boolean {
  if (held === grammar.all) return true;
  const have = held.split(grammar.separator).map((each) => each.split(":"));
  return scopes.split(grammar.separator).every((each) => {
    const [tag, level = ""] = each.split(":");
    return have.some(([ownArea, ownLevel = ""]) => ownArea === tag && levelImplies(grammar, ownLevel, level));
  });
}
