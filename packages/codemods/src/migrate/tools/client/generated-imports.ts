import { ts } from "ts-morph";
import { importedNames, type ImportedName } from "../../../handlers/syntax/imports.js";
import { referencesOf } from "../variable-references.js";

/** An imported name that generated code of another tool declares. */
export interface GeneratedImport {
  readonly name: ImportedName;
  readonly declaration: ts.Declaration;
  /** All mentions of the name in the file. */
  readonly references: readonly ts.Identifier[];
}

/** Finds the imports of a file that generated code declares, also behind re-exports. */
export function findGeneratedImports(
  file: ts.SourceFile,
  isGenerated: (file: ts.SourceFile) => boolean,
  checker: ts.TypeChecker,
): readonly GeneratedImport[] {
  return importedNames(file).flatMap((name) => {
    const local = ts.isImportSpecifier(name.node) || ts.isNamespaceImport(name.node) ? name.node.name : name.node;
    const declaration = ts.isIdentifier(local) ? resolveDeclaration(local, checker) : undefined;
    if (declaration === undefined || !ts.isIdentifier(local) || !isGenerated(declaration.getSourceFile())) return [];
    return [{ name, declaration, references: referencesOf(local, checker) }];
  });
}

/** The declaration that a name stands for, behind imports and re-exports. */
export function resolveDeclaration(node: ts.Node, checker: ts.TypeChecker): ts.Declaration | undefined {
  const { parent } = node;
  const symbol = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const { valueDeclaration, declarations } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  return valueDeclaration ?? declarations?.[0];
}

/** The name of the function that a call calls: `listPets` in `listPets()`, and in `sdk.listPets()`. */
export function calleeName({ expression }: ts.CallExpression): ts.Identifier | undefined {
  if (ts.isIdentifier(expression)) return expression;
  return ts.isPropertyAccessExpression(expression) && ts.isIdentifier(expression.name) ? expression.name : undefined;
}

/** The first node in a declaration that a function finds something in. */
export function findWithin<T>(node: ts.Node, read: (node: ts.Node) => T | undefined): T | undefined {
  return read(node) ?? ts.forEachChild(node, (each) => findWithin(each, read));
}
