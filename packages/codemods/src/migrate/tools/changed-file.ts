import { ts } from "ts-morph";
import {
  addImports,
  importedNames,
  removeImports,
  type ImportedName,
  type NeededImport,
} from "../../handlers/syntax/imports.js";
import { parseSource } from "../../handlers/syntax/parse.js";
import { findReferences } from "../../handlers/syntax/references.js";
import { applyEdits } from "../../handlers/syntax/text-edits.js";
import { applyNestedEdits, type NestedEdit } from "./nested-edits.js";

/** What changes in a file. */
export interface FileChanges {
  readonly edits: NestedEdit[];
  /** By module and name. */
  readonly imports: Map<string, NeededImport>;
  /** Imports that nothing refers to. */
  readonly removed: Set<ImportedName>;
  /** The local names of imports that go if nothing refers to them after the edits. */
  readonly released: Set<string>;
}

/** Returns the text of a file with its changes, and with its own line breaks. */
export function textWithChanges(file: ts.SourceFile, changes: FileChanges): string {
  // New texts of edits may ask for imports, so that imports come last.
  const edited = applyNestedEdits(file, [...changes.edits, ...removeImports(file, [...changes.removed])]);
  const released = releaseImports(parseSource(file.fileName, edited), changes.released);
  const text = importNames(released, file, changes.imports);
  const isCrLf = file.text.includes("\r\n") && !/[^\r]\n/.test(file.text);
  return isCrLf ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}

function releaseImports(tree: ts.SourceFile, released: ReadonlySet<string>): ts.SourceFile {
  if (released.size === 0) return tree;
  const references = findReferences(tree);
  const isUsed = (name: string): boolean => (references.get(name) ?? []).some((each) => !isInImport(each));
  const unused = importedNames(tree).filter(({ local }) => released.has(local) && !isUsed(local));
  if (unused.length === 0) return tree;
  return parseSource(tree.fileName, applyEdits(tree.text, removeImports(tree, unused)));
}

function isInImport({ parent }: ts.Identifier): boolean {
  return ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent);
}

function importNames(tree: ts.SourceFile, original: ts.SourceFile, imports: FileChanges["imports"]): string {
  const sorted = [...imports.values()].sort((a, b) => (a.imported < b.imported ? -1 : 1));
  const added = addImports(tree, sorted);
  const firstOld = original.statements.find(ts.isImportDeclaration);
  if (tree.statements.some(ts.isImportDeclaration) || firstOld === undefined) return applyEdits(tree.text, added);
  // Where all imports are gone, the new ones stand in place of the first, below comments at the top of the file.
  const start = firstOld.getStart(original);
  return applyEdits(
    tree.text,
    added.map((each) => ({ start, end: start, text: each.text.replace(/(\r?\n)\r?\n$/, "$1") })),
  );
}
