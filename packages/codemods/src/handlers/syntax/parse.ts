import { ts } from "ts-morph";

/** A position in a file of the user, and what is there. */
export interface SourceIssue {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly message: string;
  readonly fix: string;
}

/** Files that do not parse. Nothing may be changed in them. */
export class HandlerSyntaxError extends Error {
  override readonly name = "HandlerSyntaxError";
  readonly issues: readonly SourceIssue[];

  constructor(issues: readonly SourceIssue[]) {
    super(issues.map(({ path, line, column, message }) => `${path}:${line}:${column} ${message}`).join("\n"));
    this.issues = issues;
  }
}

/** Parses a file. Nodes know their parents. */
export function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Returns the first syntax error of a file, which may be the marker of a merge conflict; undefined for a file that parses. */
export function findSyntaxIssue(path: string, text: string): SourceIssue | undefined {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext, isolatedModules: false },
  });
  const [first] = diagnostics.filter(({ category }) => category === ts.DiagnosticCategory.Error);
  if (first === undefined) return undefined;
  const message = ts.flattenDiagnosticMessageText(first.messageText, " ");
  const isConflict = first.code === mergeConflictCode;
  const fix = isConflict
    ? "Resolve the merge conflict, and run the command again."
    : "Correct the syntax, and run the command again.";
  return { path, ...positionOf(parseSource(path, text), first.start ?? 0), message, fix };
}

/** The code of TypeScript for the marker of a merge conflict. */
const mergeConflictCode = 1185;

/** Returns the line and column of a position, from 1. */
export function positionOf(tree: ts.SourceFile, position: number): { readonly line: number; readonly column: number } {
  const { line, character } = tree.getLineAndCharacterOfPosition(position);
  return { line: line + 1, column: character + 1 };
}
