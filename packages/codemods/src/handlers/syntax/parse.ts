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

/** Returns the first syntax error of each file, which may be the marker of a merge conflict. */
export function findSyntaxIssues(files: readonly (readonly [path: string, text: string])[]): readonly SourceIssue[] {
  const trees = new Map(files.map(([path, text]) => [path, parseSource(path, text)] as const));
  const host: ts.CompilerHost = {
    getSourceFile: (path) => trees.get(path),
    getDefaultLibFileName: () => "",
    getCurrentDirectory: () => "",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (path) => trees.has(path),
    readFile: (path) => trees.get(path)?.text,
    writeFile: () => undefined,
  };
  const options = { noLib: true, noResolve: true, types: [] };
  const program = ts.createProgram({ rootNames: [...trees.keys()], options, host });
  return [...trees].flatMap(([path, tree]) => {
    const [first] = program.getSyntacticDiagnostics(tree);
    if (first === undefined) return [];
    const message = ts.flattenDiagnosticMessageText(first.messageText, " ");
    const cause = first.code === mergeConflictCode ? "Resolve the merge conflict" : "Correct the syntax";
    return [{ path, ...positionOf(tree, first.start), message, fix: `${cause}, and run the command again.` }];
  });
}

/** The code of TypeScript for the marker of a merge conflict. */
const mergeConflictCode = 1185;

/** Returns the line and column of a position, from 1. */
export function positionOf(tree: ts.SourceFile, position: number): { readonly line: number; readonly column: number } {
  const { line, character } = tree.getLineAndCharacterOfPosition(position);
  return { line: line + 1, column: character + 1 };
}
