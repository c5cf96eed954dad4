import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";
import type { GeneratedClient } from "./generated-client.js";
import type { GeneratedImport } from "./generated-imports.js";

/**
 * Replaces the values of an enum by their literals: `Soil.CLAY` by `"clay"`. The generated type has the literals.
 *
 * @returns whether the import is one of an enum
 */
export function replaceEnumUses(each: GeneratedImport, client: GeneratedClient, recorder: CodeRecorder): boolean {
  const { name, declaration, references } = each;
  const isEnum =
    ts.isEnumDeclaration(declaration) ||
    (ts.isVariableDeclaration(declaration) && client.schemaType(name.imported) !== undefined);
  const type = client.schemaType(name.imported);
  if (!isEnum || type === undefined) return false;
  const literals = references.map((node) => literalOf(node, recorder.checker));
  const isLeft = references.some((node, index) => literals[index] === undefined && !isInType(node));
  if (isLeft) {
    recorder.report(
      "notUnderstood",
      name.node,
      `The values of \`${name.imported}\` are listed, and the generated type has none.`,
    );
    return true;
  }
  for (const [index, node] of references.entries()) {
    const literal = literals[index];
    if (literal !== undefined) recorder.replace(node.parent, literal);
  }
  recorder.removeImport(name);
  if (references.some(isInType))
    recorder.importName(name.declaration.getSourceFile(), { imported: type, isType: true, local: name.local });
  recorder.report("done", name.node, `The values of \`${name.imported}\` are literals.`);
  return true;
}

function isInType(node: ts.Identifier): boolean {
  return ts.isTypeReferenceNode(node.parent) || ts.isExportSpecifier(node.parent);
}

function literalOf(node: ts.Identifier, checker: ts.TypeChecker): string | undefined {
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return undefined;
  const declaration = checker.getSymbolAtLocation(parent.name)?.valueDeclaration;
  const isMember = declaration !== undefined && (ts.isEnumMember(declaration) || ts.isPropertyAssignment(declaration));
  const { initializer } = isMember ? declaration : { initializer: undefined };
  if (initializer === undefined) return undefined;
  if (ts.isStringLiteralLike(initializer)) return JSON.stringify(initializer.text);
  return ts.isNumericLiteral(initializer) ? initializer.text : undefined;
}
