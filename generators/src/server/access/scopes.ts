import { type TextFile, code, docComment, jsonLiteral, printSourceFile, type Code } from "@plumbline/kit/codegen";
import { emitExpression, emitOperationTable, listLiteral, objectLiteral } from "@plumbline/kit/codegen/conditions";
import { type Api, type Operation, findJsonContent, collectFields } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

/** Emits `scopes.ts`: the syntax of scopes, and scope ceilings. */
export function emitServerScopes(api: Api): readonly TextFile[] {
  const all = [...api.operations, ...api.operationsWithoutPath];
  const statements = [
    code`${docComment(["The syntax of scopes, and the levels that they imply."])}
export const scopeGrammar: ${serverType("ScopeGrammar")} | undefined = ${grammarOf(api)};`,
    emitOperationTable(
      "scopeCeilings",
      {
        about: "Scopes in a body that may not exceed other scopes.",
        type: code`readonly ${serverType("ScopeCeilingRule")}[]`,
      },
      all.flatMap((each) => {
        const ceilings = ceilingsOf(api, each);
        return ceilings.length === 0 ? [] : [[each.name, listLiteral(ceilings)] as const];
      }),
    ),
  ];
  return [{ path: "src/gen/scopes.ts", text: printSourceFile(statements) }];
}

function grammarOf({ scopeGrammar }: Api): Code {
  if (scopeGrammar === undefined) return code`undefined`;
  const { scheme, areas, levels, all, separator, errors } = scopeGrammar;
  return jsonLiteral({ scheme, areas, levels, all, separator, errors });
}

function ceilingsOf(api: Api, operation: Operation): readonly Code[] {
  const content = operation.requestBody === undefined ? undefined : findJsonContent(operation.requestBody.contents);
  if (content === undefined) return [];
  return collectFields(api, content.schema).flatMap(({ pointer, schema }) =>
    schema.scopeCeiling === undefined
      ? []
      : [
          objectLiteral({
            pointer: jsonLiteral(pointer),
            atMost: emitExpression(schema.scopeCeiling.atMost),
            error: jsonLiteral(schema.scopeCeiling.error),
          }),
        ],
  );
}
