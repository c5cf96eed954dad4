import type { ts } from "ts-morph";

/** Returns the text of a node with the edits inside of it. */
export type TextOf = (node: ts.Node) => string;

/** A replacement of a part of a text. Its new text may contain parts of the old one, with the edits inside of them. */
export interface NestedEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string | ((textOf: TextOf) => string);
}

/** Applies edits, from the outermost to the innermost. Of edits that overlap without nesting, the first one remains. */
export function applyNestedEdits(file: ts.SourceFile, edits: readonly NestedEdit[]): string {
  const sorted = edits
    .map((edit, index) => ({ edit, index }))
    .toSorted((a, b) => a.edit.start - b.edit.start || b.edit.end - a.edit.end || a.index - b.index)
    .map(({ edit }) => edit);
  return renderRange(file, { start: 0, end: file.text.length }, sorted);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function renderRange(file: ts.SourceFile, { start, end }: Range, edits: readonly NestedEdit[]): string {
  const inside = edits.filter((each) => each.start >= start && each.end <= end);
  let result = "";
  let position = start;
  let last: NestedEdit | undefined;
  for (const edit of inside) {
    // An insertion at the start of a replaced part comes before it.
    if (edit.start < position || isRepeated(edit, last)) continue;
    const within = inside.filter((each) => each !== edit && each.start >= edit.start && each.end <= edit.end);
    const insertions = within.filter((each) => each.start === edit.start && each.end === edit.start);
    const nested = within.filter((each) => !insertions.includes(each));
    result += file.text.slice(position, edit.start);
    if (edit.end > edit.start) result += insertions.map((each) => textOfEdit(each, file, [])).join("");
    result += textOfEdit(edit, file, nested);
    position = edit.end;
    last = edit;
  }
  return result + file.text.slice(position, end);
}

function isRepeated(edit: NestedEdit, last: NestedEdit | undefined): boolean {
  return last?.start === edit.start && last.end === edit.end && (edit.end > edit.start || last.text === edit.text);
}

function textOfEdit({ text }: NestedEdit, file: ts.SourceFile, nested: readonly NestedEdit[]): string {
  if (typeof text === "string") return text;
  return text((node) => renderRange(file, { start: node.getStart(file), end: node.getEnd() }, nested));
}
