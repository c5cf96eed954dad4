import { type TextFile, code, docComment, joinCode, jsonLiteral, printSourceFile } from "@plumbline/kit/codegen";
import type { Api, ScopeGrammar } from "@plumbline/kit/model";
import { isNameFree } from "./names.js";

/** Emits `scopes.ts`: the scopes of a token, and a function that joins them. Emits no file if the description has no scope grammar. */
export function emitClientScopes(api: Api): readonly TextFile[] {
  const { scopeGrammar } = api;
  if (scopeGrammar === undefined) return [];
  const areas = joinCode(scopeGrammar.areas.map(jsonLiteral), code` | `);
  const levels = joinCode(Object.keys(scopeGrammar.levels).map(jsonLiteral), code` | `);
  const statements = [
    code`/** The areas of scopes. */\nexport type ScopeArea = ${areas};`,
    code`/** The levels of access in an area. */\nexport type ScopeLevel = ${levels};`,
    code`/** A scope of a token: a level of access in an area, or full access. */
export type Scope = ${jsonLiteral(scopeGrammar.all)} | \`\${ScopeArea}:\${ScopeLevel}\`;`,
    ...(isNameFree(api, "joinScopes")
      ? [
          code`${docComment(["Joins scopes in the form that tokens use.", "", "@example", `joinScopes(${examplesOf(scopeGrammar).join(", ")})`])}
export function joinScopes(...list: readonly Scope[]): string {
  return list.join(${jsonLiteral(scopeGrammar.separator)});
}`,
        ]
      : []),
  ];
  return [{ path: "src/gen/scopes.ts", text: printSourceFile(statements) }];
}

function examplesOf({ areas, levels }: ScopeGrammar): readonly string[] {
  const [level = ""] = Object.keys(levels);
  return areas.slice(0, 2).map((area) => JSON.stringify(`${area}:${level}`));
}
