import type { TextFile } from "../emit/files.js";
import { code, comment, join, literal, print } from "../emit/printer.js";
import type { Api, ScopeGrammar } from "../model/api.js";
import { banner } from "../emit/banner.js";

/** Emits `scopes.ts`: the scopes of a token, and a function that joins them. Emits no file if the description has no scope grammar. */
export function emitScopes(api: Api): readonly TextFile[] {
  const { scopes } = api;
  if (scopes === undefined) return [];
  const areas = join(scopes.areas.map(literal), code` | `);
  const levels = join(Object.keys(scopes.levels).map(literal), code` | `);
  const statements = [
    code`/** The areas of scopes. */\nexport type ScopeArea = ${areas};`,
    code`/** The levels of access in an area. */\nexport type ScopeLevel = ${levels};`,
    code`/** A scope of a token: a level of access in an area, or full access. */
export type Scope = ${literal(scopes.all)} | \`\${ScopeArea}:\${ScopeLevel}\`;`,
    code`${comment(["Joins scopes in the form that tokens use.", "", "@example", `scopes(${examplesOf(scopes).join(", ")})`])}
export function scopes(...list: readonly Scope[]): string {
  return list.join(${literal(scopes.separator)});
}`,
  ];
  return [{ path: "src/gen/scopes.ts", text: print(statements, banner) }];
}

function examplesOf({ areas, levels }: ScopeGrammar): readonly string[] {
  const [level = ""] = Object.keys(levels);
  return areas.slice(0, 2).map((area) => JSON.stringify(`${area}:${level}`));
}
