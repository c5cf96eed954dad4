import path from "node:path";
import { ts } from "ts-morph";
import { importedNames, type ImportedName } from "../../handlers/syntax/imports.js";
import { relativeModule } from "../../handlers/syntax/module-paths.js";
import { indentAt } from "../../handlers/syntax/source-style.js";
import { openCodeProject, type CodeProject } from "../../impact/code-project.js";
import { hasSyntaxErrors, type MigratedFile } from "../migrate-code.js";
import { textWithChanges, type FileChanges } from "./changed-file.js";
import type { NestedEdit, TextOf } from "./nested-edits.js";
import { findOutsideFiles, type OutsideFile } from "./outside-files.js";
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
  /** The other files of the program, which stay as they are. */
  readonly outsideFiles: readonly OutsideFile[];
  /** Replaces a part of a file. Edits may be nested: see `NestedEdit`. */
  readonly edit: (file: ts.SourceFile, edit: NestedEdit) => void;
  /** Replaces a node, without the comments before it. */
  readonly replace: (node: ts.Node, text: string | ((textOf: TextOf) => string)) => void;
  /** Adds a statement behind another. */
  readonly insertAfter: (statement: ts.Statement, text: string | ((textOf: TextOf) => string)) => void;
  /** Removes a statement with its lines. */
  readonly removeStatement: (statement: ts.Statement) => void;
  /**
   * Imports a name. New texts of edits may call it, too.
   *
   * @returns its local name, which differs where the file has another declaration of that name
   */
  readonly importName: (file: ts.SourceFile, needed: TargetImport) => string;
  /** A name that nothing declares in a file: `client`, or else `apiClient`. */
  readonly freeName: (name: string, file: ts.SourceFile) => string;
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
  readonly report: (list: StepList, node: ts.Node, message: string) => void;
  /** Whether a step is reported for the line of a node. */
  readonly isReported: (node: ts.Node) => boolean;
  /** Reports what a person has to decide, with a comment above the statement of the node. */
  readonly mark: (node: ts.Node, message: string) => void;
}

/** The lists of what a migration reports. */
export type StepList = "done" | "toDecide" | "notUnderstood";

/** Records the edits of all files that use a tool. */
export type ToolMigrator = (request: ToolRequest, recorder: CodeRecorder) => void;

/** A recorder, and what it has recorded. */
export interface OpenRecorder extends CodeRecorder {
  readonly finish: () => ToolMigration;
}

/** What is recorded: changes of files, new files, and steps by place and message. */
class Recording {
  readonly changes = new Map<ts.SourceFile, FileChanges>();
  readonly created = new Map<string, string>();
  readonly steps: Readonly<Record<StepList, Map<string, ToolStep>>> = {
    done: new Map(),
    toDecide: new Map(),
    notUnderstood: new Map(),
  };

  changesOf(file: ts.SourceFile): FileChanges {
    const changes = this.changes.get(file) ?? {
      edits: [],
      imports: new Map(),
      removed: new Set(),
      released: new Set(),
    };
    this.changes.set(file, changes);
    return changes;
  }

  report(list: StepList, node: ts.Node, message: string): void {
    const { file, line } = placeOf(node);
    this.steps[list].set(`${file}:${line} ${message}`, { file, line, message });
  }

  isReported(node: ts.Node): boolean {
    const place = placeOf(node);
    return Object.values(this.steps).some((all) =>
      [...all.values()].some((each) => each.file === place.file && each.line === place.line),
    );
  }

  /** The files with their new texts: what the command writes. */
  files(): readonly MigratedFile[] {
    const changed = [...this.changes].map(([file, changes]) => ({
      file: file.fileName,
      original: file.text,
      text: textWithChanges(file, changes),
    }));
    const added = [...this.created].map(([file, text]) => ({ file, original: "", text }));
    return [...changed.filter(({ original, text }) => text !== original), ...added].sort((a, b) =>
      a.file < b.file ? -1 : 1,
    );
  }
}

/** Opens code for a migration. Files that do not parse are left out. */
export function createCodeRecorder({ code, target }: ToolRequest): OpenRecorder {
  const project = openCodeProject(code);
  const unreadable = project.files.filter(hasSyntaxErrors);
  const files = project.files.filter((each) => !unreadable.includes(each));
  const recording = new Recording();
  const edit: CodeRecorder["edit"] = (file, each) => void recording.changesOf(file).edits.push(each);
  return {
    ...project,
    files,
    outsideFiles: findOutsideFiles(code, project.files),
    edit,
    replace: (node, text) => edit(node.getSourceFile(), { start: node.getStart(), end: node.getEnd(), text }),
    insertAfter: (statement, text) => edit(statement.getSourceFile(), statementBehind(statement, text)),
    removeStatement: (statement) => edit(statement.getSourceFile(), removalOf(statement)),
    importName: (file, needed) => importInto(file, { target, ...needed }, recording),
    freeName: (name, file) => findFreeName(name, declaredNamesIn(file)),
    targetModule: (file) => specifierOf(target, file),
    moduleFor: (file, module) => (path.isAbsolute(module) ? relativeModule(file, module, files[0]) : module),
    removeImport(name) {
      const { removed } = recording.changesOf(name.declaration.getSourceFile());
      // Each reading of a file has its own names.
      if (![...removed].some(({ node }) => node === name.node)) removed.add(name);
    },
    releaseImport: (name) => void recording.changesOf(name.declaration.getSourceFile()).released.add(name.local),
    addFile: (file, text) => void (ts.sys.fileExists(file) || recording.created.set(file, text)),
    report: (list, node, message) => recording.report(list, node, message),
    isReported: (node) => recording.isReported(node),
    mark(node, message) {
      recording.report("toDecide", node, message);
      edit(node.getSourceFile(), commentAbove(node, message));
    },
    finish: () => ({
      files: recording.files(),
      done: sortSteps(recording.steps.done),
      toDecide: sortSteps(recording.steps.toDecide),
      notUnderstood: sortSteps(recording.steps.notUnderstood),
      unreadable: unreadable.map(({ fileName }) => fileName),
    }),
  };
}

function importInto(
  file: ts.SourceFile,
  { target, imported, isType, module = target, local: preferred }: TargetImport & { readonly target: string },
  recording: Recording,
): string {
  const { imports, removed } = recording.changesOf(file);
  const specifier = specifierOf(module, file);
  const key = `${specifier} ${imported}`;
  const recorded = imports.get(key);
  const present = importedNames(file).find((each) => each.module === specifier && each.imported === imported);
  const free = (): string => {
    const gone = new Set<ts.Node>([...removed].map(({ node }) => (ts.isIdentifier(node) ? node : node.name)));
    const taken = [...imports.values()].map((each) => each.local);
    return findFreeName(imported, new Set([...taken, ...declaredNamesIn(file, gone)]));
  };
  const local = recorded?.local ?? present?.local ?? preferred ?? free();
  imports.set(key, { module: specifier, imported, local, isType: isType && (recorded?.isType ?? true) });
  return local;
}

function specifierOf(module: string, file: ts.SourceFile): string {
  return path.isAbsolute(module) ? relativeModule(file.fileName, module, file) : module;
}

function placeOf(node: ts.Node): Pick<ToolStep, "file" | "line"> {
  const file = node.getSourceFile();
  return { file: file.fileName, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 };
}

function sortSteps(steps: ReadonlyMap<string, ToolStep>): readonly ToolStep[] {
  return [...steps.values()].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** A name that is not declared: `listPets`, or else `apiListPets`. */
function findFreeName(name: string, declared: ReadonlySet<string>): string {
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

function statementBehind(statement: ts.Statement, text: NestedEdit["text"]): NestedEdit {
  const file = statement.getSourceFile();
  const start = `\n${indentAt(file.text, statement.getStart(file))}`;
  const end = statement.getEnd();
  return {
    start: end,
    end,
    text: typeof text === "string" ? start + text : (textOf) => start + text(textOf),
  };
}

function removalOf(statement: ts.Statement): NestedEdit {
  const file = statement.getSourceFile();
  const start = statement.getStart(file);
  const lineStart = file.text.lastIndexOf("\n", start - 1) + 1;
  const isAlone = file.text.slice(lineStart, start).trim() === "";
  const end = /^[ \t]*(?:\r?\n(?:[ \t]*\r?\n)?)?/.exec(file.text.slice(statement.getEnd()))?.[0].length ?? 0;
  return { start: isAlone ? lineStart : start, end: statement.getEnd() + end, text: "" };
}

/** The beginning of comments that say what a person has to decide. */
const decisionMarker = "TODO(migrate):";

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
