import { ts } from "ts-morph";
import { endOfTrailingComments, lineStart, nextToken, skipBlanks, skipLineBreak } from "./source-style.js";

/** The part of a text that belongs to a node: its comments, the node, its comma. */
export interface NodeRange {
  readonly start: number;
  readonly end: number;
  /** True if the range has complete lines, with the last line break. */
  readonly isLines: boolean;
}

/** Returns the range of a statement, a member or a property. Comments belong to it where no empty line is between. */
export function rangeOf(tree: ts.SourceFile, node: ts.Node): NodeRange {
  const { text } = tree;
  const start = startWithComments(tree, node);
  const after = nextToken(text, node.end);
  const isListed = ts.isObjectLiteralElement(node);
  const end = endOfTrailingComments(text, isListed && text[after] === "," ? after + 1 : node.end);
  const line = lineStart(text, start);
  const blank = skipBlanks(text, end);
  const isLast = blank >= text.length;
  const isLines = text.slice(line, start).trim() === "" && (isLast || skipLineBreak(text, blank) > blank);
  if (isLines) return { start: line, end: skipLineBreak(text, blank), isLines };
  return { start, end: isListed ? skipBlanks(text, end) : end, isLines };
}

/** Extends a range of lines by an empty line before it, where another empty line or the end of the block follows. */
export function withEmptyLine(text: string, range: NodeRange): NodeRange {
  if (!range.isLines) return range;
  const before = lineStart(text, Math.max(0, range.start - 1));
  const isEmptyBefore = range.start > 0 && text.slice(before, range.start).trim() === "";
  const rest = text.slice(range.end);
  if (isEmptyBefore && /^[ \t]*(?:\r?\n|[})]|$)/.test(rest)) return { ...range, start: before };
  const [empty] = /^[ \t]*\r?\n/.exec(rest) ?? [];
  return before < range.start && /[{(]\s*$/.test(text.slice(before, range.start)) && empty !== undefined
    ? { ...range, end: range.end + empty.length }
    : range;
}

function startWithComments(tree: ts.SourceFile, node: ts.Node): number {
  const { text } = tree;
  let start = node.getStart(tree);
  for (const comment of (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).toReversed()) {
    const between = text.slice(comment.end, start);
    if (between.split("\n").length > 2) break;
    start = comment.pos;
  }
  return start;
}
