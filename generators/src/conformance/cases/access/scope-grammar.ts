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
  { scopes, accepted }: { readonly scopes: string; readonly accepted: string },
): { readonly expect?: { readonly headers: Readonly<Record<string, Template>> } } {
  const { scopes: header, acceptedScopes: acceptedHeader } = namesOf(api);
  const headers = {
    ...(header === undefined ? {} : { [header.toLowerCase()]: { const: scopes } }),
    ...(acceptedHeader === undefined ? {} : { [acceptedHeader.toLowerCase()]: { const: accepted } }),
  };
  return Object.keys(headers).length === 0 ? {} : { expect: { headers } };
}

/** True when a level includes another. */
export function levelImplies({ levels }: Pick<ScopeGrammar, "levels">, level: string, requiredLevel: string): boolean {
  const visited = new Set<string>();
  const reaches = (each: string): boolean => {
    if (each === requiredLevel) return true;
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
export function scopesWithin(grammar: ScopeGrammar, scopes: string, callerScopes: string): boolean {
  if (callerScopes === grammar.all) return true;
  const have = callerScopes.split(grammar.separator).map((each) => each.split(":"));
  return scopes.split(grammar.separator).every((each) => {
    const [tag, level = ""] = each.split(":");
    return have.some(([ownArea, ownLevel = ""]) => ownArea === tag && levelImplies(grammar, ownLevel, level));
  });
}
