import { ts } from "ts-morph";
import type { GeneratedClient } from "../client/generated-client.js";
import { replaceTypeUse } from "../client/type-uses.js";
import type { CodeRecorder } from "../code-recorder.js";

/** Records the edits of types: `components["schemas"]["Pet"]`, and `Client<paths>`. */
export function migratePathTypes(node: ts.Node, client: GeneratedClient, recorder: CodeRecorder): boolean {
  const schema = schemaNameOf(node, recorder.checker);
  if (schema === undefined) return false;
  const name = client.schemaType(schema);
  if (name === undefined) return false;
  replaceTypeUse(node as ts.TypeNode, name, recorder);
  return true;
}

/** The name in `components["schemas"]["Pet"]`, if `components` is one of openapi-typescript. */
function schemaNameOf(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return undefined;
  const { objectType: root, indexType: group } = node.objectType;
  if (textOfLiteral(group) !== "schemas" || !ts.isTypeReferenceNode(root)) return undefined;
  const symbol = checker.getSymbolAtLocation(root.typeName);
  const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const name = isAlias ? checker.getAliasedSymbol(symbol).name : symbol?.name;
  return name === "components" ? textOfLiteral(node.indexType) : undefined;
}

function textOfLiteral(node: ts.TypeNode): string | undefined {
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? node.literal.text : undefined;
}
