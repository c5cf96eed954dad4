import { ts } from "ts-morph";

/** How a file is written, which insertions follow. */
export interface SourceStyle {
  readonly lineBreak: "\n" | "\r\n";
  /** One level of indentation. */
  readonly indent: string;
}

/** Detects line breaks and indentation. Default: those of new files. */
export function styleOf(text: string): SourceStyle {
  const [, indent = "  "] = /^([ \t]+)(?![ \t*])/m.exec(text) ?? [];
  return { lineBreak: text.includes("\r\n") ? "\r\n" : "\n", indent: indent.startsWith("\t") ? "\t" : indent };
}

/** Indents the lines of a text that is written with two spaces a level. */
export function indentLines(text: string, outer: string, { lineBreak, indent }: SourceStyle): string {
  return text
    .split("\n")
    .map((line) => {
      const [lead = ""] = /^(?: {2})*/.exec(line) ?? [];
      return line === "" ? "" : outer + indent.repeat(lead.length / 2) + line.slice(lead.length);
    })
    .join(lineBreak);
}

/** The start of the line of a position. */
export function lineStart(text: string, position: number): number {
  return text.lastIndexOf("\n", position - 1) + 1;
}

/** The white space at the start of the line of a position. */
export function indentAt(text: string, position: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, position)))?.[0] ?? "";
}

/** The position after white space of the same line. */
export function skipBlanks(text: string, position: number): number {
  let end = position;
  while (text[end] === " " || text[end] === "\t") end++;
  return end;
}

/** The position after a line break at a position; the position itself where there is none. */
export function skipLineBreak(text: string, position: number): number {
  if (text.startsWith("\r\n", position)) return position + 2;
  return text[position] === "\n" ? position + 1 : position;
}

/** The position of the next token, after white space and comments. */
export function nextToken(text: string, position: number): number {
  let end = position;
  for (;;) {
    while (/\s/.test(text[end] ?? "")) end++;
    const comments = ts.getLeadingCommentRanges(text, end) ?? ts.getTrailingCommentRanges(text, end);
    const last = comments?.at(-1);
    if (last === undefined || last.end <= end) return end;
    ({ end } = last);
  }
}

/** The end of the comments that follow a position on its line. */
export function endOfTrailingComments(text: string, position: number): number {
  return ts.getTrailingCommentRanges(text, position)?.at(-1)?.end ?? position;
}
