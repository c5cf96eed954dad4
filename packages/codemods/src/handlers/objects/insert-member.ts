import { ts } from "ts-morph";
import { endOfTrailingComments, indentAt, indentLines, lineStart, nextToken, styleOf } from "../syntax/source-style.js";
import type { TextEdit } from "../syntax/text-edits.js";
import type { HandlerObject } from "./handler-objects.js";

/** The text of a member, without the indentation of its object. */
export interface MemberText {
  readonly text: string;
  /** True for a text of the user, whose lines keep their indentation. */
  readonly isVerbatim?: boolean;
}

/** Returns the edits that add members at the end of an object or a class. */
export function insertMembers(
  tree: ts.SourceFile,
  { node }: Pick<HandlerObject, "node">,
  added: readonly MemberText[],
): readonly TextEdit[] {
  const { text } = tree;
  const style = styleOf(text);
  const { lineBreak } = style;
  const elements: readonly ts.Node[] = ts.isObjectLiteralExpression(node) ? node.properties : node.members;
  const last = elements.at(-1);
  const close = node.end - 1;
  const outer = indentAt(text, close);
  const isOwnLine = (each: ts.Node): boolean =>
    text.slice(lineStart(text, each.getStart(tree)), each.getStart(tree)).trim() === "";
  const sibling = elements.findLast(isOwnLine);
  const inner = sibling === undefined ? outer + style.indent : indentAt(text, sibling.getStart(tree));
  const blocks = added.map(({ text: each, isVerbatim }) =>
    isVerbatim === true ? each.replace(/\r?\n$/, "") : indentLines(each, inner, style),
  );
  const body = blocks.join(lineBreak + lineBreak);
  if (last === undefined) {
    const line = lineStart(text, close);
    const isAlone = text.slice(line, close).trim() === "" && line > node.getStart(tree);
    return isAlone
      ? [{ start: line, end: line, text: body + lineBreak }]
      : [{ start: close, end: close, text: lineBreak + body + lineBreak + outer }];
  }
  const edits: TextEdit[] = [];
  let start = last.end;
  if (ts.isObjectLiteralExpression(node)) {
    const comma = nextToken(text, last.end);
    if (text[comma] === ",") start = comma + 1;
    else edits.push({ start: last.end, end: last.end, text: "," });
  }
  start = endOfTrailingComments(text, start);
  const between =
    sibling === undefined || blocks.some((each) => each.includes("\n")) ? lineBreak + lineBreak : lineBreak;
  const tail = text.slice(start, close);
  const isSameLine = !tail.includes("\n");
  edits.push({
    start,
    end: isSameLine && tail.trim() === "" ? close : start,
    text: between + body + (isSameLine ? lineBreak + outer : ""),
  });
  return edits;
}
