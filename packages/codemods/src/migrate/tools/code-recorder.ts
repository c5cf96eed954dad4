import path from "node:path";
import { ts } from "ts-morph";
import {
  addImports,
  importedNames,
  removeImports,
  type ImportedName,
  type NeededImport,
} from "../../handlers/syntax/imports.js";
import { relativeModule } from "../../handlers/syntax/module-paths.js";
import { parseSource } from "../../handlers/syntax/parse.js";
import { findReferences } from "../../handlers/syntax/references.js";
import { applyEdits } from "../../handlers/syntax/text-edits.js";
import { openCodeProject, type CodeProject } from "../../impact/code-project.js";
import { hasSyntaxErrors, type MigratedFile } from "../migrate-code.js";
import { applyNestedEdits, type NestedEdit, type TextOf } from "./nested-edits.js";
import type { ToolMigration, ToolRequest, ToolStep } from "./tool-migration.js";

/** An import that migrated code needs. */
export interface TargetImport {
  /** The name that the module exports. */
  readonly imported: string;
  readonly isType: boolean;
  /**
   * The name of a package, or the absolute path of a file.
   *
   * @defaultValue the generated package
   */
  readonly module?: string;
  /** A local name that is free because its import is removed. */
  readonly local?: string;
}

/** Collects the edits of a migration, and what it reports. */
export interface CodeRecorder extends CodeProject {
  /** Replaces a part of a file. Edits may be nested: see `NestedEdit`. */
  readonly edit: (file: ts.SourceFile, edit: NestedEdit) => void;
  /** Replaces a node, without the comments before it. */
  readonly replace: (node: ts.Node, text: string | ((textOf: TextOf) => string)) => void;
  /**
   * Imports a name. New texts of edits may call it, too.
   *
   * @returns its local name, which differs where the file has another declaration of that name
   */
  readonly importName: (file: ts.SourceFile, needed: TargetImport) => string;
  /** The generated package, as a file imports it. */
  readonly targetModule: (file: ts.SourceFile) => string;
  /** A module as a file imports it, which may be a new one: the name of a package, or the path of a file. */
  readonly moduleFor: (file: string, module: string) => string;
  /** Removes an imported name. Call it only if nothing refers to the name any longer. */
  readonly removeImport: (name: ImportedName) => void;
  /** Removes an imported name if nothing in the changed file refers to it. */
  readonly releaseImport: (name: ImportedName) => void;
  /** Adds a file, unless one exists there. */
  readonly addFile: (path: string, text: string) => void;
  readonly report: (list: "done" | "toDecide" | "notUnderstood", node: ts.Node, message: string) => void;
  /** Whether a step is reported for the line of a node. */
  readonly isReported: (node: ts.Node) => boolean;
  /** Reports what a person has to decide, with a comment above the statement of the node. */
  readonly mark: (node: ts.Node, message: string) => void;
}

/** Records the edits of all files that use a tool. */
export type ToolMigrator = (request: ToolRequest, recorder: CodeRecorder) => void;

/** A recorder, and what it has recorded. */
export interface OpenRecorder extends CodeRecorder {
  readonly finish: () => ToolMigration;
}

/** Opens code for a migration. Files that do not parse are left out. */
export function createCodeRecorder({ code, target }: ToolRequest): OpenRecorder {
  const project = openCodeProject(code);
  const unreadable = project.files.filter(hasSyntaxErrors);
  const files = project.files.filter((each) => !unreadable.includes(each));
  const changes = new Map<ts.SourceFile, FileChanges>();
  const created = new Map<string, string>();
  const steps = { done: new Map(), toDecide: new Map(), notUnderstood: new Map() } satisfies Record<
    StepList,
    Map<string, ToolStep>
  >;
  const changesOf = (file: ts.SourceFile): FileChanges => {
    const fileChanges = changes.get(file) ?? { edits: [], imports: new Map(), removed: new Set(), released: new Set() };
    changes.set(file, fileChanges);
    return fileChanges;
  };
  const edit: CodeRecorder["edit"] = (file, each) => void changesOf(file).edits.push(each);
  const report: CodeRecorder["report"] = (list, node, message) => {
    const { file, line } = placeOf(node);
    const all: Map<string, ToolStep> = steps[list];
    all.set(`${file}:${line} ${message}`, { file, line, message });
  };
  return {
    ...project,
    files,
    edit,
    report,
    replace: (node, text) => edit(node.getSourceFile(), { start: node.getStart(), end: node.getEnd(), text }),
    importName(file, { imported, isType, module = target, local: preferred }) {
      const { imports, removed } = changesOf(file);
      const specifier = specifierOf(module, file);
      const key = `${specifier} ${imported}`;
      const recorded = imports.get(key);
      const present = importedNames(file).find((each) => each.module === specifier && each.imported === imported);
      const usedNames = [...imports.values()].map((each) => each.local);
      const local =
        recorded?.local ?? present?.local ?? preferred ?? findFreeName(imported, file, { taken: usedNames, removed });
      imports.set(key, { module: specifier, imported, local, isType: isType && (recorded?.isType ?? true) });
      return local;
    },
    targetModule: (file) => specifierOf(target, file),
    moduleFor: (file, module) => (path.isAbsolute(module) ? relativeModule(file, module, files[0]) : module),
    removeImport: (name) => void changesOf(name.declaration.getSourceFile()).removed.add(name),
    releaseImport: (name) => void changesOf(name.declaration.getSourceFile()).released.add(name.local),
    addFile: (file, text) => void (ts.sys.fileExists(file) || created.set(file, text)),
    isReported(node) {
      const place = placeOf(node);
      return Object.values(steps).some((all) =>
        [...all.values()].some((each) => each.file === place.file && each.line === place.line),
      );
    },
    mark(node, message) {
      report("toDecide", node, message);
      edit(node.getSourceFile(), commentAbove(node, message));
    },
    finish() {
      const migrated = [...changes].flatMap(([file, each]): readonly MigratedFile[] => {
        const isCrLf = file.text.includes("\r\n") && !/[^\r]\n/.test(file.text);
        const changed = applyChanges(file, each);
        const text = isCrLf ? changed.replaceAll(/\r?\n/g, "\r\n") : changed;
        return text === file.text ? [] : [{ file: file.fileName, original: file.text, text }];
      });
      const added = [...created].map(([file, text]) => ({ file, original: "", text }));
      return {
        files: [...migrated, ...added].sort((a, b) => (a.file < b.file ? -1 : 1)),
        done: sortSteps(steps.done),
        toDecide: sortSteps(steps.toDecide),
        notUnderstood: sortSteps(steps.notUnderstood),
        unreadable: unreadable.map(({ fileName }) => fileName),
      };
    },
  };
}

/** The beginning of comments that say what a person has to decide. */
export const decisionMarker = "TODO(migrate):";

function specifierOf(module: string, file: ts.SourceFile): string {
  return path.isAbsolute(module) ? relativeModule(file.fileName, module, file) : module;
}

function placeOf(node: ts.Node): Pick<ToolStep, "file" | "line"> {
  const file = node.getSourceFile();
  return { file: file.fileName, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 };
}

type StepList = "done" | "toDecide" | "notUnderstood";

interface FileChanges {
  readonly edits: NestedEdit[];
  readonly imports: Map<string, NeededImport>;
  readonly removed: Set<ImportedName>;
  readonly released: Set<string>;
}

function applyChanges(file: ts.SourceFile, { edits, imports, removed, released }: FileChanges): string {
  const changed = applyNestedEdits(file, [...edits, ...removeImports(file, [...removed])]);
  const parsed = parseSource(file.fileName, changed);
  const unused = removeImports(parsed, findUnusedImports(parsed, released));
  const text = applyEdits(changed, unused);
  // Imports are added to the result, since the last import may be one of those that were removed.
  const tree = unused.length === 0 ? parsed : parseSource(file.fileName, text);
  const sorted = [...imports.values()].sort((a, b) => (a.imported < b.imported ? -1 : 1));
  const added = addImports(tree, sorted);
  const firstOld = file.statements.find(ts.isImportDeclaration);
  if (tree.statements.some(ts.isImportDeclaration) || firstOld === undefined) return applyEdits(text, added);
  // Where all imports are gone, the new ones stand in place of the first, below comments at the top of the file.
  const start = firstOld.getStart(file);
  return applyEdits(
    text,
    added.map((each) => ({ start, end: start, text: each.text.replace(/(\r?\n)\r?\n$/, "$1") })),
  );
}

function findUnusedImports(tree: ts.SourceFile, released: ReadonlySet<string>): readonly ImportedName[] {
  if (released.size === 0) return [];
  const references = findReferences(tree);
  const isUsed = (name: string): boolean => (references.get(name) ?? []).some((each) => !isInImport(each));
  return importedNames(tree).filter(({ local }) => released.has(local) && !isUsed(local));
}

function isInImport({ parent }: ts.Identifier): boolean {
  return ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent);
}

/** A name that nothing declares in a file: `listPets`, or else `apiListPets`. */
function findFreeName(
  name: string,
  file: ts.SourceFile,
  { taken, removed }: { readonly taken: readonly string[]; readonly removed: ReadonlySet<ImportedName> },
): string {
  const gone = new Set<ts.Node>([...removed].map(({ node }) => (ts.isIdentifier(node) ? node : node.name)));
  const declared = new Set([...taken, ...declaredNamesIn(file, gone)]);
  const start = name.charAt(0);
  const longer = `${start === start.toUpperCase() ? "Api" : "api"}${start.toUpperCase()}${name.slice(1)}`;
  const candidates = [name, longer, ...Array.from({ length: 100 }, (_, index) => `${longer}${index + 2}`)];
  return candidates.find((each) => !declared.has(each)) ?? longer;
}

/**
 * All names that a file declares, in any scope.
 *
 * @param removed the names in imports that are removed, which do not count. Default: none
 */
export function declaredNamesIn(
  file: ts.SourceFile,
  removed: ReadonlySet<ts.Node> = new Set<ts.Node>(),
): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node };
    const isMember = ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) || ts.isTypeElement(node);
    if (name !== undefined && !isMember && ts.isIdentifier(name) && !removed.has(name)) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** The edit that puts a comment above the statement or the property of a node. */
function commentAbove(node: ts.Node, message: string): NestedEdit {
  let at = node;
  while (!ts.isStatement(at) && !ts.isObjectLiteralElement(at) && !ts.isClassElement(at)) {
    if (ts.isSourceFile(at.parent)) break;
    at = at.parent;
  }
  const file = node.getSourceFile();
  const start = at.getStart(file);
  const lineStart = file.text.lastIndexOf("\n", start - 1) + 1;
  const before = file.text.slice(lineStart, start);
  const text = message.replaceAll(/[\r\n\u2028\u2029]+/g, " ").replaceAll("*/", "* /");
  if (before.trim() !== "") return { start, end: start, text: `/* ${decisionMarker} ${text} */ ` };
  return { start, end: start, text: `// ${decisionMarker} ${text}\n${before}` };
}

function sortSteps(steps: ReadonlyMap<string, ToolStep>): readonly ToolStep[] {
  return [...steps.values()].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
