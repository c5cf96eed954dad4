import { ts } from "ts-morph";
import type { TextEdit } from "../handlers/syntax/text-edits.js";

/** A property as code, with the comments that belong to it. */
export interface ListEntry {
  readonly text: string;
  readonly comments: readonly string[];
  /** Whether lines after the first are indented from the start of the property, and not from that of the file. */
  readonly isRelative: boolean;
}

interface ListChange {
  readonly removed: ReadonlySet<ts.ObjectLiteralElementLike>;
  readonly added: readonly ListEntry[];
  readonly file: ts.SourceFile;
}

/** The edits that remove properties of an object, and add others behind the last one, in the style of the object. */
export function editsOfList(object: ts.ObjectLiteralExpression, change: ListChange): readonly TextEdit[] {
  const { properties } = object;
  const remaining = properties.filter((each) => !change.removed.has(each));
  const layout = layoutOf(object, change.file);
  const last = remaining.at(-1);
  if (last === undefined) return [fill(object, change, layout)];
  const removals = runsOf(properties, change.removed).flatMap((run) => removalOf(run, properties, change, layout));
  return change.added.length === 0 ? removals : [...removals, ...insertionAfter(last, properties, change, layout)];
}

interface Layout {
  /** The indentation of properties on lines of their own. Undefined: they share a line. */
  readonly indent: string | undefined;
  readonly hasTrailingComma: boolean;
}

function layoutOf({ properties }: ts.ObjectLiteralExpression, file: ts.SourceFile): Layout {
  const last = properties.at(-1);
  if (last === undefined) return { indent: undefined, hasTrailingComma: false };
  const { line, character } = file.getLineAndCharacterOfPosition(last.getStart(file));
  const start = file.getPositionOfLineAndCharacter(line, 0);
  const before = file.text.slice(start, start + character);
  return {
    indent: before.trim() === "" ? before : undefined,
    hasTrailingComma: properties.hasTrailingComma,
  };
}

/** The text between the braces of an object that keeps no property. */
function fill(object: ts.ObjectLiteralExpression, { added, file }: ListChange, { indent, ...style }: Layout): TextEdit {
  const edit = { start: object.getStart(file) + 1, end: object.getEnd() - 1 };
  if (added.length === 0) return { ...edit, text: "" };
  if (indent === undefined) return { ...edit, text: ` ${added.map(toInline).join(", ")} ` };
  const lines = added.map((entry) => toLines(entry, indent, file)).join(",");
  const [, tail = "\n"] = /(\r?\n[^\n]*)$/.exec(file.text.slice(edit.start, edit.end)) ?? [];
  return { ...edit, text: `${lines}${style.hasTrailingComma ? "," : ""}${tail}` };
}

function toInline({ text, comments }: ListEntry): string {
  return [text, ...comments.map(toBlockComment)].join(" ");
}

function toLines({ text, comments, isRelative }: ListEntry, indent: string, file: ts.SourceFile): string {
  const lineBreak = file.text.includes("\r\n") ? "\r\n" : "\n";
  const code = isRelative ? text.replaceAll("\n", `${lineBreak}${indent}`) : text;
  return [...comments, code].map((line) => `${lineBreak}${indent}${line}`).join("");
}

/** A comment that code may follow on the same line. */
export function toBlockComment(comment: string): string {
  return comment.startsWith("//") ? `/* ${comment.slice(2).trim().replaceAll("*/", "* /")} */` : comment;
}

/** The properties that are removed, as the indexes of the first and last of each run. */
function runsOf(
  properties: readonly ts.ObjectLiteralElementLike[],
  removed: ReadonlySet<ts.ObjectLiteralElementLike>,
): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const [index, each] of properties.entries()) {
    if (!removed.has(each)) continue;
    const run = runs.at(-1);
    if (run?.[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

function removalOf(
  [first, last]: readonly [number, number],
  properties: readonly ts.ObjectLiteralElementLike[],
  { added, file }: ListChange,
  { indent, hasTrailingComma }: Layout,
): readonly TextEdit[] {
  const [start, end, before, after] = [first, last, first - 1, last + 1].map((index) => properties[index]);
  if (start === undefined || end === undefined) return [];
  if (after !== undefined) return [{ start: startOf(start, file), end: startOf(after, file), text: "" }];
  if (before === undefined) return [];
  if (indent === undefined) return [{ start: before.getEnd(), end: end.getEnd(), text: "" }];
  const removal = { start: endOf(before, file), end: endOf(end, file), text: "" };
  const comma = commaAfter(before, file);
  const isExtra = !hasTrailingComma && added.length === 0 && comma !== undefined;
  return isExtra ? [{ start: before.getEnd(), end: comma, text: "" }, removal] : [removal];
}

function insertionAfter(
  last: ts.ObjectLiteralElementLike,
  properties: readonly ts.ObjectLiteralElementLike[],
  { added, file }: ListChange,
  { indent, hasTrailingComma }: Layout,
): readonly TextEdit[] {
  const end = last.getEnd();
  if (indent === undefined) return [{ start: end, end, text: added.map((entry) => `, ${toInline(entry)}`).join("") }];
  const isLast = properties.at(-1) === last;
  const hasComma = isLast ? hasTrailingComma : commaAfter(last, file) !== undefined;
  const lines = `${added.map((entry) => toLines(entry, indent, file)).join(",")}${hasTrailingComma ? "," : ""}`;
  const at = endOf(last, file);
  return [...(hasComma ? [] : [{ start: end, end, text: "," }]), { start: at, end: at, text: lines }];
}

/** The start of a property, or of the comments above it. */
function startOf(property: ts.Node, file: ts.SourceFile): number {
  const [comment] = ts.getLeadingCommentRanges(file.text, property.getFullStart()) ?? [];
  return comment?.pos ?? property.getStart(file);
}

/** The end of a property with its comma and the comments behind it on the line. */
function endOf(property: ts.Node, file: ts.SourceFile): number {
  const end = commaAfter(property, file) ?? property.getEnd();
  return ts.getTrailingCommentRanges(file.text, end)?.at(-1)?.end ?? end;
}

/** The comments above a property, and behind it on its line. */
export function commentsAt(property: ts.Node, file: ts.SourceFile): readonly string[] {
  const end = commaAfter(property, file) ?? property.getEnd();
  const ranges = [
    ...(ts.getLeadingCommentRanges(file.text, property.getFullStart()) ?? []),
    ...(ts.getTrailingCommentRanges(file.text, end) ?? []),
  ];
  return ranges.map(({ pos, end: last }) => file.text.slice(pos, last));
}

/** The position behind the comma after a property. */
function commaAfter(property: ts.Node, file: ts.SourceFile): number | undefined {
  const end = property.getEnd();
  const comments = [
    ...(ts.getTrailingCommentRanges(file.text, end) ?? []),
    ...(ts.getLeadingCommentRanges(file.text, end) ?? []),
  ];
  const at = Math.max(end, ...comments.map((comment) => comment.end));
  const [, space = "", comma] = /^(\s*)(,?)/.exec(file.text.slice(at)) ?? [];
  return comma === "," ? at + space.length + 1 : undefined;
}
