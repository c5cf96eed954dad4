import { ts } from "ts-morph";

/** A part of a text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns the positions of all identifiers that may refer to a declaration of the file, by name. Inner scopes are not distinguished. */
export function findReferences(tree: ts.SourceFile): ReadonlyMap<string, readonly ts.Identifier[]> {
  const references = new Map<string, ts.Identifier[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isName(node)) references.set(node.text, [...(references.get(node.text) ?? []), node]);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return references;
}

/** True for an identifier that is a key or a part of a longer name. */
function isName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (ts.isImportSpecifier(parent)) return parent.propertyName === node;
  if (ts.isExportSpecifier(parent)) return parent.propertyName !== undefined && parent.name === node;
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isAccessor(parent) ||
      ts.isEnumMember(parent)) &&
    parent.name === node
  );
}

/** The names that a statement declares. */
export function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement);
  return isNamed && statement.name !== undefined && ts.isIdentifier(statement.name) ? [statement.name.text] : [];
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)));
}

/** True for a statement that is exported where it stands. */
export function hasExport(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

/** True for a statement that declares types only. */
export function declaresTypes(statement: ts.Statement): boolean {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
}

export function isWithin({ start, end }: TextSpan, spans: readonly TextSpan[]): boolean {
  return spans.some((span) => span.start <= start && end <= span.end);
}

/** The span of a node, without its comments. */
export function spanOf(tree: ts.SourceFile, node: ts.Node): TextSpan {
  return { start: node.getStart(tree), end: node.end };
}
