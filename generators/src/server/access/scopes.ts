import { type TextFile, code, docComment, jsonLiteral, printSourceFile, type Code } from "@plumbline/kit/codegen";
import { emitExpression, emitOperationTable, listLiteral, objectLiteral } from "@plumbline/kit/codegen/conditions";
import { securitySchemeData } from "@plumbline/kit/codegen/validation";
import { type Api, type Operation, findJsonContent, collectFields } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

/** Emits `scopes.ts`: security schemes, requirements and scope ceilings. */
export function emitServerScopes(api: Api): readonly TextFile[] {
  const all = [...api.operations, ...api.operationsWithoutPath];
  const type = serverType("SecurityScheme");
  const schemes = api.securitySchemes.map((scheme) => [scheme.name, jsonLiteral(securitySchemeData(scheme))] as const);
  const statements = [
    emitOperationTable("securitySchemes", { about: "The security schemes.", type }, schemes),
    code`${docComment(["The syntax of scopes, and the levels that they imply."])}
export const scopeGrammar: ${serverType("ScopeGrammar")} | undefined = ${grammarOf(api)};`,
    emitOperationTable(
      "security",
      {
        about: "Security requirements, one of which has to be met. Operations without any are public.",
        type: requirementListType,
      },
      all.map((each) => [each.name, jsonLiteral(each.security)] as const),
    ),
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

const requirementListType = code`readonly ${serverType("SecurityRequirement")}[]`;

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
