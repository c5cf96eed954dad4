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
import { applyEdits, type TextEdit } from "../../handlers/syntax/text-edits.js";
import { openCodeProject, type CodeProject } from "../../impact/code-project.js";
import { parseSource } from "../../handlers/syntax/parse.js";
import { hasSyntaxErrors, withoutOverlaps, type MigratedFile } from "../migrate-code.js";
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

/** Collects the edits of a migration, and what it reports. Of edits that overlap, the first one in the text remains. */
export interface CodeRecorder extends CodeProject {
  /** Replaces a part of a file. */
  readonly edit: (file: ts.SourceFile, edit: TextEdit) => void;
  /** Replaces a node, without the comments before it. */
  readonly replace: (node: ts.Node, text: string) => void;
  /**
   * Imports a name.
   *
   * @returns its local name, which differs where the file has another declaration of that name
   */
  readonly importName: (file: ts.SourceFile, wanted: TargetImport) => string;
  /** Removes an imported name. Call it only if nothing refers to the name any longer. */
  readonly removeImport: (name: ImportedName) => void;
  /** Adds a file, unless one exists there. */
  readonly addFile: (path: string, text: string) => void;
  readonly report: (list: "done" | "toDecide" | "notUnderstood", node: ts.Node, message: string) => void;
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
  const changes = new Map<ts.SourceFile, FileChanges>();
  const created = new Map<string, string>();
  const steps = { done: new Map(), toDecide: new Map(), notUnderstood: new Map() } satisfies Record<
    StepList,
    Map<string, ToolStep>
  >;
  const changesOf = (file: ts.SourceFile): FileChanges => {
    const known = changes.get(file) ?? { edits: [], imports: new Map(), removed: new Set() };
    changes.set(file, known);
    return known;
  };
  const edit: CodeRecorder["edit"] = (file, each) => void changesOf(file).edits.push(each);
  const report: CodeRecorder["report"] = (list, node, message) => {
    const file = node.getSourceFile();
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    const all: Map<string, ToolStep> = steps[list];
    all.set(`${file.fileName}:${line} ${message}`, { file: file.fileName, line, message });
  };
  return {
    ...project,
    files: project.files.filter((each) => !unreadable.includes(each)),
    edit,
    report,
    replace: (node, text) => edit(node.getSourceFile(), { start: node.getStart(), end: node.getEnd(), text }),
    importName(file, { imported, isType, module = target, local: wanted }) {
      const { imports } = changesOf(file);
      const specifier = path.isAbsolute(module) ? relativeModule(file.fileName, module, file) : module;
      const key = `${specifier} ${imported}`;
      const known = imports.get(key);
      const present = importedNames(file).find((each) => each.module === specifier && each.imported === imported);
      const taken = [...imports.values()].map((each) => each.local);
      const local = known?.local ?? present?.local ?? wanted ?? findFreeName(imported, file, taken);
      imports.set(key, { module: specifier, imported, local, isType: isType && (known?.isType ?? true) });
      return local;
    },
    removeImport: (name) => void changesOf(name.declaration.getSourceFile()).removed.add(name),
    addFile: (file, text) => void (ts.sys.fileExists(file) || created.set(file, text)),
    mark(node, message) {
      report("toDecide", node, message);
      edit(node.getSourceFile(), commentAbove(node, message));
    },
    finish() {
      const migrated = [...changes].flatMap(([file, each]): readonly MigratedFile[] => {
        const text = applyChanges(file, each);
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

type StepList = "done" | "toDecide" | "notUnderstood";

interface FileChanges {
  readonly edits: TextEdit[];
  readonly imports: Map<string, NeededImport>;
  readonly removed: Set<ImportedName>;
}

function applyChanges(file: ts.SourceFile, { edits, imports, removed }: FileChanges): string {
  const own = withoutOverlaps([...edits, ...removeImports(file, [...removed])]);
  const text = applyEdits(file.text, own);
  // Imports are added to the result, since the last import may be one of those that were removed.
  const tree = parseSource(file.fileName, text);
  const added = addImports(tree, [...imports.values()]);
  const hasImports = tree.statements.some(ts.isImportDeclaration);
  const [first] = [...removed].map(({ declaration }) => declaration.getStart(file)).toSorted((a, b) => a - b);
  if (hasImports || first === undefined) return applyEdits(text, added);
  // Where all imports are gone, the new ones stand in place of the first, below comments at the top of the file.
  return applyEdits(
    text,
    added.map((each) => ({ start: first, end: first, text: each.text.replace(/(\r?\n)\r?\n$/, "$1") })),
  );
}

/** A name that nothing declares in a file: `listPets`, or else `requestListPets`. */
function findFreeName(name: string, file: ts.SourceFile, taken: readonly string[]): string {
  const declared = new Set([...taken, ...declaredNamesIn(file)]);
  const longer = `request${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const candidates = [name, longer, ...Array.from({ length: 100 }, (_, index) => `${longer}${index + 2}`)];
  return candidates.find((each) => !declared.has(each)) ?? longer;
}

/** All names that a file declares, in any scope. */
export function declaredNamesIn(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node };
    const isMember = ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) || ts.isTypeElement(node);
    if (name !== undefined && !isMember && ts.isIdentifier(name)) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** The edit that puts a comment above the statement or the property of a node. */
function commentAbove(node: ts.Node, message: string): TextEdit {
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
