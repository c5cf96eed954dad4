import path from "node:path";
import { ts } from "ts-morph";

/** What the layout knows of a source file, read in one pass. */
export interface Source {
  /** From the top of the repository, with forward slashes. */
  readonly file: string;
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
  /** The names that the file declares and exports, without re-exports. */
  readonly exportedNames: readonly string[];
  readonly errorClasses: readonly ErrorClass[];
}

export interface Import {
  /** A file of the repository, `.ts` where the import says `.js`; or a package, or `node:…`, as written. */
  readonly from: string;
  /** Gone when the program runs. */
  readonly onlyTypes: boolean;
}

/** A class that extends a class whose name ends in `Error`. */
export interface ErrorClass {
  readonly name: string;
  /** The `name` of its instances. Undefined where the class inherits it, or computes it. */
  readonly runtimeName: string | undefined;
}

/** Reads every import of a file (declarations, re-exports, `import()`, `import("…")` in types, and `require`), its exports and its error classes. */
export function readSource(file: string, text: string): Source {
  const tree = ts.createSourceFile(file, text, options);
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, onlyTypes: boolean): void => {
    if (specifier === undefined) return;
    const known = ts.isStringLiteralLike(specifier);
    imports.push({ from: known ? resolve(file, specifier.text) : "something computed", onlyTypes });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    if (ts.isCallExpression(node) && isImporting(node.expression)) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  for (const each of tree.statements) {
    if (ts.isImportDeclaration(each)) add(each.moduleSpecifier, each.importClause?.isTypeOnly === true);
    if (ts.isExportDeclaration(each)) add(each.moduleSpecifier, each.isTypeOnly);
  }
  // Most files have none of them, and the search would be most of the work.
  if (/\b(?:import|require)\s*\(/.test(text)) visit(tree);
  return {
    file,
    imports,
    hasDefaultExport: tree.statements.some(isDefaultExport),
    // An overload has a declaration for each signature.
    exportedNames: [...new Set(tree.statements.flatMap(exportedNamesOf))],
    errorClasses: tree.statements.flatMap(errorClassesOf),
  };
}

const options: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

function isDefaultExport(node: ts.Statement): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportDeclaration(node) && node.exportClause !== undefined && ts.isNamedExports(node.exportClause))
    return node.exportClause.elements.some(({ name }) => name.text === "default");
  return hasModifier(node, ts.SyntaxKind.DefaultKeyword);
}

function exportedNamesOf(node: ts.Statement): readonly string[] {
  if (!hasModifier(node, ts.SyntaxKind.ExportKeyword)) return [];
  const isNamed =
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node);
  if (isNamed) return node.name === undefined ? [] : [node.name.text];
  if (!ts.isVariableStatement(node)) return [];
  return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

function errorClassesOf(node: ts.Statement): readonly ErrorClass[] {
  if (!ts.isClassDeclaration(node) || node.name === undefined) return [];
  const bases = node.heritageClauses?.flatMap(({ types }) => types.map(({ expression }) => expression)) ?? [];
  if (!bases.some((base) => ts.isIdentifier(base) && base.text.endsWith("Error"))) return [];
  const [runtimeName] = node.members.flatMap(namesGivenBy);
  return [{ name: node.name.text, runtimeName }];
}

/** The `name` that a member of a class gives to instances: by a field, a getter, or an assignment in the constructor. */
function namesGivenBy(member: ts.ClassElement): readonly string[] {
  const isName = member.name !== undefined && ts.isIdentifier(member.name) && member.name.text === "name";
  if (ts.isPropertyDeclaration(member)) return isName ? textOf(member.initializer) : [];
  if (ts.isGetAccessorDeclaration(member) && isName)
    return (member.body?.statements ?? []).flatMap((each) =>
      ts.isReturnStatement(each) ? textOf(each.expression) : [],
    );
  if (!ts.isConstructorDeclaration(member)) return [];
  return (member.body?.statements ?? []).flatMap((each) =>
    ts.isExpressionStatement(each) && ts.isBinaryExpression(each.expression) && isThisName(each.expression.left)
      ? textOf(each.expression.right)
      : [],
  );
}

function isThisName(node: ts.Expression): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    node.expression.kind === ts.SyntaxKind.ThisKeyword &&
    node.name.text === "name"
  );
}

function textOf(node: ts.Expression | undefined): readonly string[] {
  return node !== undefined && ts.isStringLiteral(node) ? [node.text] : [];
}

function hasModifier(node: ts.Statement, kind: ts.SyntaxKind): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some((each) => each.kind === kind) === true;
}

function isImporting(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, ".ts");
}
