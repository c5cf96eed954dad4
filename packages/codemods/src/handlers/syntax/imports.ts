import { ts } from "ts-morph";
import { declaredNames } from "./references.js";
import { styleOf } from "./source-style.js";
import type { TextEdit } from "./text-edits.js";

/** A name that an import declares in a file. */
export interface ImportedName {
  readonly local: string;
  /** `default`, `*`, or the name that the module exports. */
  readonly imported: string;
  readonly module: string;
  readonly isType: boolean;
  readonly declaration: ts.ImportDeclaration;
  /** The node to remove, if the import has others. */
  readonly node: ts.ImportSpecifier | ts.Identifier | ts.NamespaceImport;
}

/** Returns all imported names of a file. */
export function importedNames(tree: ts.SourceFile): readonly ImportedName[] {
  return tree.statements.filter(ts.isImportDeclaration).flatMap((declaration) => {
    const { importClause: clause, moduleSpecifier } = declaration;
    if (clause === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const module = moduleSpecifier.text;
    const isTypes = clause.isTypeOnly;
    const all: ImportedName[] = [];
    if (clause.name !== undefined)
      all.push({
        local: clause.name.text,
        imported: "default",
        module,
        isType: isTypes,
        declaration,
        node: clause.name,
      });
    const bindings = clause.namedBindings;
    if (bindings !== undefined && ts.isNamespaceImport(bindings))
      all.push({ local: bindings.name.text, imported: "*", module, isType: isTypes, declaration, node: bindings });
    if (bindings !== undefined && ts.isNamedImports(bindings))
      for (const node of bindings.elements) {
        const imported = (node.propertyName ?? node.name).text;
        all.push({ local: node.name.text, imported, module, isType: isTypes || node.isTypeOnly, declaration, node });
      }
    return all;
  });
}

/** The names that a file declares at its top, imports included. */
export function topNames(tree: ts.SourceFile): ReadonlySet<string> {
  return new Set([...importedNames(tree).map(({ local }) => local), ...tree.statements.flatMap(declaredNames)]);
}

/** An import that a file needs. */
export interface NeededImport {
  readonly module: string;
  readonly imported: string;
  readonly local: string;
  readonly isType: boolean;
}

/** Returns the edits that import names which the file does not import yet. */
export function addImports(tree: ts.SourceFile, needed: readonly NeededImport[]): readonly TextEdit[] {
  const present = importedNames(tree);
  const missing = needed.filter(
    (each) =>
      !present.some(
        ({ local, imported, module, isType }) =>
          local === each.local && imported === each.imported && module === each.module && (each.isType || !isType),
      ),
  );
  const edits: TextEdit[] = [];
  const lines: string[] = [];
  const { lineBreak } = styleOf(tree.text);
  for (const module of new Set(missing.map((each) => each.module))) {
    const namedImports = missing.filter((each) => each.module === module && isNamed(each));
    const list = namedImportsOf(
      tree,
      module,
      namedImports.every(({ isType }) => isType),
    );
    const last = list?.elements.at(-1);
    if (list !== undefined && last !== undefined && namedImports.length > 0) {
      const inType = list.parent.isTypeOnly;
      const names = namedImports.map((each) => specifierText(each, inType));
      edits.push({ start: last.end, end: last.end, text: names.map((name) => `, ${name}`).join("") });
    } else if (namedImports.length > 0) lines.push(importLine(module, namedImports));
    for (const each of missing.filter((one) => one.module === module && !isNamed(one)))
      lines.push(importLine(module, [each]));
  }
  if (lines.length === 0) return edits;
  const lastImport = tree.statements.findLast(ts.isImportDeclaration);
  const text = lines.join(lineBreak);
  if (lastImport !== undefined)
    return [...edits, { start: lastImport.end, end: lastImport.end, text: lineBreak + text }];
  const start = /^\uFEFF?(?:#!.*\r?\n)?/.exec(tree.text)?.[0].length ?? 0;
  return [...edits, { start, end: start, text: text + lineBreak + lineBreak }];
}

function isNamed({ imported }: NeededImport): boolean {
  return imported !== "default" && imported !== "*";
}

/** The list of names to which an import can be added. A list of types cannot get a value. */
function namedImportsOf(
  tree: ts.SourceFile,
  module: string,
  mayBeTypes: boolean,
): (ts.NamedImports & { readonly parent: ts.ImportClause }) | undefined {
  for (const { importClause, moduleSpecifier } of tree.statements.filter(ts.isImportDeclaration)) {
    if (!ts.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== module || importClause === undefined) continue;
    const { namedBindings: list, isTypeOnly } = importClause;
    if (list === undefined || !ts.isNamedImports(list)) continue;
    if (isTypeOnly ? mayBeTypes : true) return list;
  }
  return undefined;
}

function specifierText({ imported, local, isType }: NeededImport, inType: boolean): string {
  const name = imported === local ? local : `${imported} as ${local}`;
  return isType && !inType ? `type ${name}` : name;
}

/** Prints an import. */
export function importLine(module: string, names: readonly NeededImport[]): string {
  const inType = names.every(({ isType }) => isType);
  const keyword = inType ? "import type" : "import";
  const [first] = names;
  const from = `from ${JSON.stringify(module)};`;
  if (first?.imported === "default") return `${keyword} ${first.local} ${from}`;
  if (first?.imported === "*") return `${keyword} * as ${first.local} ${from}`;
  return `${keyword} { ${names.map((each) => specifierText(each, inType)).join(", ")} } ${from}`;
}

/** Returns the edits that remove imported names, and imports of which nothing is left. */
export function removeImports(tree: ts.SourceFile, names: readonly ImportedName[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (const declaration of new Set(names.map((each) => each.declaration))) {
    const all = importedNames(tree).filter((each) => each.declaration === declaration);
    const removed = names.filter((each) => each.declaration === declaration);
    if (removed.length === all.length) {
      edits.push(withLineBreak(tree, declaration));
      continue;
    }
    for (const { node } of removed)
      edits.push(
        withComma(
          tree,
          node,
          removed.map((each) => each.node),
        ),
      );
  }
  return edits;
}

function withLineBreak({ text }: ts.SourceFile, node: ts.Node): TextEdit {
  const end = /^[ \t]*\r?\n?/.exec(text.slice(node.end))?.[0].length ?? 0;
  return { start: node.getStart(), end: node.end + end, text: "" };
}

/** Removes an item of a list with its comma: the one behind it, or for the last items the one before. */
function withComma(tree: ts.SourceFile, node: ts.Node, removed: readonly ts.Node[]): TextEdit {
  const { text } = tree;
  if (ts.isImportSpecifier(node)) {
    const { elements } = node.parent;
    const index = elements.indexOf(node);
    const before = elements.slice(0, index).findLast((each) => !removed.includes(each));
    const isTail = elements.slice(index).every((each) => removed.includes(each));
    if (isTail && before !== undefined && elements[index - 1] === before)
      return { start: before.end, end: node.end, text: "" };
    if (isTail && before !== undefined) return { start: elements[index - 1]?.end ?? node.pos, end: node.end, text: "" };
    const next = elements[index + 1];
    if (next !== undefined) return { start: node.getStart(tree), end: next.getStart(tree), text: "" };
    // The list becomes empty beside a default import, which TypeScript accepts.
    return { start: node.getStart(tree), end: node.end, text: "" };
  }
  const comma = /^\s*,\s*/.exec(text.slice(node.end))?.[0].length ?? 0;
  if (comma > 0) return { start: node.getStart(tree), end: node.end + comma, text: "" };
  const lead = /,\s*$/.exec(text.slice(0, node.getStart(tree)))?.[0].length ?? 0;
  return { start: node.getStart(tree) - lead, end: node.end, text: "" };
}
