import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, literal, print, type Code } from "../emit/printer.js";
import type { Api, Operation, SecurityScheme } from "../model/api.js";
import { jsonContent } from "../model/media.js";
import { fieldsOf } from "../model/fields.js";
import { emitExpression } from "./expressions.js";
import { $serverType } from "./runtime.js";
import { list, record, table } from "./table.js";

/** Emits `scopes.ts`: security schemes, requirements and scope ceilings. */
export function emitScopes(api: Api): readonly TextFile[] {
  const all = [...api.operations, ...api.linked];
  const type = $serverType("Scheme");
  const schemes = api.schemes.map((scheme) => [scheme.name, literal(schemeData(scheme))] as const);
  const statements = [
    table("schemes", { about: "The security schemes.", type }, schemes),
    code`${comment(["The syntax of scopes, and the levels that they imply."])}
export const grammar: ${$serverType("ScopeGrammar")} | undefined = ${grammarOf(api)};`,
    table(
      "security",
      {
        about: "Security requirements, one of which has to be met. Operations without any are public.",
        type: alternatives,
      },
      all.map((each) => [each.name, literal(each.security)] as const),
    ),
    table(
      "ceilings",
      { about: "Scopes in a body that may not exceed other scopes.", type: code`readonly ${$serverType("Ceiling")}[]` },
      all.flatMap((each) => {
        const found = ceilingsOf(api, each);
        return found.length === 0 ? [] : [[each.name, list(found)] as const];
      }),
    ),
  ];
  return [{ path: "src/gen/scopes.ts", text: print(statements, banner) }];
}

const alternatives = code`readonly ${$serverType("Alternative")}[]`;

function schemeData(scheme: SecurityScheme): Readonly<Record<string, string>> {
  if (scheme.kind === "apiKey") return { kind: scheme.kind, in: scheme.in, key: scheme.key };
  return scheme.kind === "http" ? { kind: scheme.kind, scheme: scheme.scheme } : { kind: scheme.kind };
}

function grammarOf({ scopes }: Api): Code {
  if (scopes === undefined) return code`undefined`;
  const { scheme, areas, levels, all, separator, errors } = scopes;
  return literal({ scheme, areas, levels, all, separator, errors });
}

function ceilingsOf(api: Api, operation: Operation): readonly Code[] {
  const content = operation.body === undefined ? undefined : jsonContent(operation.body.contents);
  if (content === undefined) return [];
  return fieldsOf(api, content.shape).flatMap(({ pointer, shape }) =>
    shape.scopeCeiling === undefined
      ? []
      : [
          record({
            pointer: literal(pointer),
            atMost: emitExpression(shape.scopeCeiling.atMost),
            error: literal(shape.scopeCeiling.error),
          }),
        ],
  );
}
