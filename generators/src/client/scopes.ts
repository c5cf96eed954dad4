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
    code`/** The areas that a scope can be about. */\nexport type ScopeArea = ${areas};`,
    code`/** What a scope allows in its area. */\nexport type ScopeLevel = ${levels};`,
    code`/** What a token may do: a level in an area, or everything. */
export type Scope = ${literal(scopes.all)} | \`\${ScopeArea}:\${ScopeLevel}\`;`,
    code`${comment(["Writes scopes the way a token carries them.", "", "@example", `scopes(${examplesOf(scopes).join(", ")})`])}
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
