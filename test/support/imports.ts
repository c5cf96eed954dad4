import path from "node:path";
import { ts } from "ts-morph";

/** A source file and its imports. */
export interface Source {
  /** From the top of the repository, with forward slashes. */
  readonly file: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
}

export interface Import {
  /** A file of the repository, `.ts` where the import says `.js`; or a package, or `node:…`, as written. */
  readonly from: string;
  /** Gone when the program runs. */
  readonly onlyTypes: boolean;
}

/** Reads every import of a file: declarations, re-exports, `import()`, `import("…")` in types, and `require`. */
export function readImports(file: string, text: string): Source {
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
  return { file, lines: text.split("\n").length - 1, imports, hasDefaultExport: tree.statements.some(isDefaultExport) };
}

const options: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

function isDefaultExport(node: ts.Statement): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportDeclaration(node) && node.exportClause !== undefined && ts.isNamedExports(node.exportClause))
    return node.exportClause.elements.some(({ name }) => name.text === "default");
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true;
}

function isImporting(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, ".ts");
}
