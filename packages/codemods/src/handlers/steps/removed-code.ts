import type { ts } from "ts-morph";
import { rangeOf } from "../syntax/node-range.js";
import { indentAt, styleOf } from "../syntax/source-style.js";
import type { TextEdit } from "../syntax/text-edits.js";

/** What the comment in front of removed code says. */
export interface RemovalMark {
  readonly name: string;
  /** The method and the path; empty where they are unknown. */
  readonly route: string;
}

const markStart = "// No longer in the description: ";

function markText({ name, route }: RemovalMark): string {
  return `${markStart}${route === "" ? "" : `${route} `}(${name})`;
}

/** Returns the edit that turns a node with its comments into a comment, which `restoreCode` can turn back. */
export function commentOut(tree: ts.SourceFile, node: ts.Node, mark: RemovalMark): TextEdit {
  const { text } = tree;
  const { lineBreak } = styleOf(text);
  const range = rangeOf(tree, node);
  const indent = indentAt(text, range.isLines ? range.start : node.getStart(tree));
  if (!range.isLines) {
    const code = text.slice(range.start, range.end).trimEnd();
    const lines = [indent + markText(mark), ...commentLines(code, indent)];
    return { start: range.start, end: range.end, text: lineBreak + lines.join(lineBreak) + lineBreak + indent };
  }
  const code = text.slice(range.start, range.end).replace(/\r?\n$/, "");
  // An empty line, so that the comment does not belong to what follows.
  const isFollowed = /^[ \t]*[^ \t\r\n}]/.test(text.slice(range.end));
  const lines = [indent + markText(mark), ...commentLines(code, indent), ...(isFollowed ? [""] : [])];
  return { start: range.start, end: range.end, text: lines.join(lineBreak) + lineBreak };
}

/** Returns lines of a comment with code that is not in the text any more. */
export function commentedCode(code: string, mark: RemovalMark, lineBreak: string): string {
  return [markText(mark), ...commentLines(code, "")].join(lineBreak);
}

function commentLines(code: string, indent: string): readonly string[] {
  return code.split(/\r?\n/).map((line) => {
    if (indent !== "" && line.startsWith(indent)) return `${indent}// ${line.slice(indent.length)}`;
    return line === "" ? "//" : `// ${line}`;
  });
}

/** Turns the code of an operation that `commentOut` has removed back. Returns the text unchanged where there is none. */
export function restoreCode(text: string, name: string): string {
  const lines = text.split("\n");
  const restored: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    const mark = line.trim();
    if (!mark.startsWith(markStart) || !mark.endsWith(`(${name})`)) {
      restored.push(line);
      continue;
    }
    for (let next = lines[index + 1]; next !== undefined; next = lines[index + 1]) {
      const code = uncommented(next, indent);
      if (code === undefined || code.trimStart().startsWith(markStart.slice(3))) break;
      restored.push(code);
      index++;
    }
  }
  return restored.join("\n");
}

function uncommented(line: string, indent: string): string | undefined {
  if (indent !== "" && line.startsWith(`${indent}// `)) return indent + line.slice(indent.length + 3);
  if (line.startsWith("// ")) return line.slice(3);
  return /^\/\/\r?$/.test(line) ? line.slice(2) : undefined;
}
