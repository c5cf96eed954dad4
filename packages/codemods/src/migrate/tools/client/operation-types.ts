import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";

/**
 * Finds the types of parameters in generated code, by their names, with the operation that the function sends.
 *
 * @param readOperation returns the operation that a declaration of a function sends
 */
export function findOperationTypes(
  files: readonly ts.SourceFile[],
  readOperation: (declaration: ts.Declaration) => Operation | undefined,
): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  const visit = (node: ts.Node): void => {
    const operation = ts.isVariableDeclaration(node) || ts.isMethodDeclaration(node) ? readOperation(node) : undefined;
    if (operation === undefined) return ts.forEachChild(node, visit);
    for (const { type } of parametersOf(node))
      for (const each of typeNamesIn(type)) if (!operations.has(each)) operations.set(each, operation);
  };
  for (const file of files) visit(file);
  return operations;
}

function parametersOf(node: ts.Node): readonly ts.ParameterDeclaration[] {
  if (ts.isMethodDeclaration(node)) return node.parameters;
  const value = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  return value !== undefined && ts.isArrowFunction(value) ? value.parameters : [];
}

function typeNamesIn(type: ts.TypeNode | undefined): readonly string[] {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return [];
  return [type.typeName.getText(), ...(type.typeArguments ?? []).flatMap(typeNamesIn)];
}
