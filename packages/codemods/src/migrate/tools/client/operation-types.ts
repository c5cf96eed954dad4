import type { Operation } from "@plumbline/model";
import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";
import type { GeneratedImport } from "./generated-imports.js";

/** A type that a parameter of a generated function has. */
export interface OperationType {
  readonly operation: Operation;
  /** The name of the parameter. */
  readonly parameter: string;
}

/**
 * Finds the types of parameters in generated code, by their names.
 *
 * @param readOperation returns the operation that a declaration of a function sends
 */
export function findOperationTypes(
  files: readonly ts.SourceFile[],
  readOperation: (declaration: ts.Declaration) => Operation | undefined,
): ReadonlyMap<string, OperationType> {
  const found = new Map<string, OperationType>();
  const visit = (node: ts.Node): void => {
    const operation = ts.isVariableDeclaration(node) || ts.isMethodDeclaration(node) ? readOperation(node) : undefined;
    if (operation === undefined) return ts.forEachChild(node, visit);
    for (const { name, type } of parametersOf(node))
      for (const each of typeNamesIn(type))
        if (!found.has(each)) found.set(each, { operation, parameter: name.getText() });
  };
  for (const file of files) visit(file);
  return found;
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

/** Replaces a type of a location by that of the generated request: `ListPetsParams` by `NonNullable<ListPetsRequest["query"]>`. */
export function replaceLocationType(
  { name, references }: GeneratedImport,
  { request, location }: { readonly request: string; readonly location: string },
  recorder: CodeRecorder,
): void {
  const file = name.declaration.getSourceFile();
  for (const node of references)
    recorder.replace(node, () => {
      const local = recorder.importName(file, { imported: request, isType: true });
      return `NonNullable<${local}["${location}"]>`;
    });
  recorder.removeImport(name);
  recorder.report("done", name.node, `The type \`${name.imported}\` is \`${location}\` of \`${request}\`.`);
}
