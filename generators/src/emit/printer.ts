/**
 * TypeScript as text, out of a closed set of pieces. Whatever comes from a description gets in as an identifier, a literal or a
 * comment, or as a node that TypeScript's own printer writes; the fixed parts are template literals of ours:
 *
 *     code`export const ${name("limit")} = ${literal(3)};`
 */
import ts from "typescript";
import type { Json } from "../model/api.js";
import { isReserved } from "../model/names.js";
import { commentText } from "./comments.js";

/** A piece of TypeScript. Only this module makes them. */
export interface Code {
  readonly [brand]: true;
  readonly parts: readonly Part[];
}

declare const brand: unique symbol;
type Part = string | Import;

interface Import {
  readonly name: string;
  readonly from: string;
  readonly kind: "value" | "type";
  /** Imports without printing the name, which stands in the text already. */
  readonly silent?: true;
}

/** Fixed text of ours with pieces between; a list of pieces is joined by line ends. */
export function code(strings: TemplateStringsArray, ...pieces: readonly (Code | readonly Code[])[]): Code {
  const parts: Part[] = [];
  strings.forEach((text, index) => {
    parts.push(text);
    const piece = pieces[index];
    if (piece === undefined) return;
    if (isList(piece)) parts.push(...join(piece, code`\n`).parts);
    else parts.push(...piece.parts);
  });
  return make(parts);
}

/** Pieces with another one between each two. */
export function join(pieces: readonly Code[], between: Code): Code {
  return make(pieces.flatMap((piece, index) => (index === 0 ? piece.parts : [...between.parts, ...piece.parts])));
}

/** An identifier, checked. Throws for anything that is none, or is a reserved word. */
export function name(text: string): Code {
  if (!isIdentifier(text) || isReserved(text))
    throw new Error(`${JSON.stringify(text)} is not usable as an identifier`);
  return make([text]);
}

/** The key of an object literal or a member of a type: bare where it can be, else a string. */
export function key(text: string): Code {
  return make([
    isIdentifier(text) && text !== "__proto__" ? text : text === "__proto__" ? `[${quote(text)}]` : quote(text),
  ]);
}

/** A JSON value as a literal. */
export function literal(value: Json): Code {
  if (typeof value === "string") return make([quote(value)]);
  if (typeof value === "number") return make([Object.is(value, -0) ? "-0" : String(value)]);
  if (value === null || typeof value === "boolean") return make([String(value)]);
  if (isArray(value)) return code`[${join(value.map(literal), code`, `)}]`;
  const entries = Object.entries(value).map(([each, inner]) => code`${key(each)}: ${literal(inner)}`);
  return entries.length === 0 ? code`{}` : code`{ ${join(entries, code`, `)} }`;
}

/** A JSDoc block of these lines; nothing can end it early. */
export function comment(lines: readonly string[]): Code {
  const text = commentText(lines);
  return make(text === "" ? [] : [`/*${text}*/`]);
}

/** A name imported for use at run time; the import line is written at the end. */
export function imported(what: string, from: string): Code {
  return make([{ name: checked(what), from, kind: "value" }]);
}

/** A name imported as a type. */
export function typeImported(what: string, from: string): Code {
  return make([{ name: checked(what), from, kind: "type" }]);
}

/** A piece in which imported names stand already. */
export function using(piece: Code, imports: readonly Code[]): Code {
  const silent = imports
    .flatMap((each) => each.parts)
    .map((part): Part => (typeof part === "string" ? part : { ...part, silent: true }));
  return make([...silent, ...piece.parts]);
}

/** A node of TypeScript's own tree. */
export function node(tree: ts.Node): Code {
  return make([visible(nodePrinter.printNode(ts.EmitHint.Unspecified, tree, emptyFile))]);
}

/** The text of a file: banner, sorted imports, statements. */
export function print(statements: readonly Code[], banner: Code): string {
  const imports = new Map<string, Map<string, "value" | "type">>();
  const text: string[] = [];
  for (const statement of statements) {
    for (const part of statement.parts) {
      if (typeof part === "string") {
        text.push(part);
        continue;
      }
      const names = imports.get(part.from) ?? new Map<string, "value" | "type">();
      if (names.get(part.name) !== "value") names.set(part.name, part.kind);
      imports.set(part.from, names);
      if (!part.silent) text.push(part.name);
    }
    text.push("\n\n");
  }
  const lines = [...imports].sort(([a], [b]) => compare(a, b)).map(([from, names]) => importLine(from, names));
  return `${banner.parts.map((part) => (typeof part === "string" ? part : part.name)).join("")}\n${lines.join("\n")}${lines.length > 0 ? "\n\n" : ""}${text.join("")}`;
}

export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text);
}

function importLine(from: string, names: ReadonlyMap<string, "value" | "type">): string {
  const sorted = [...names].sort(([a], [b]) => compare(a, b));
  const onlyTypes = sorted.every(([, kind]) => kind === "type");
  const list = sorted.map(([each, kind]) => (kind === "type" && !onlyTypes ? `type ${each}` : each)).join(", ");
  return `import ${onlyTypes ? "type " : ""}{ ${list} } from ${quote(from)};`;
}

function quote(text: string): string {
  // JSON is a subset of TypeScript's strings but for the two line separators, and what a reader cannot see.
  return visible(JSON.stringify(text));
}

/** Code in which what a reader cannot see, or what ends lines, is escaped; outside of strings there is none of it. */
function visible(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    unicodeEscape,
  );
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function checked(text: string): string {
  if (!isIdentifier(text)) throw new Error(`${JSON.stringify(text)} is not an identifier`);
  return text;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isList(piece: Code | readonly Code[]): piece is readonly Code[] {
  return Array.isArray(piece);
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function make(parts: readonly Part[]): Code {
  return { parts } as unknown as Code;
}

const nodePrinter: ts.Printer = ts.createPrinter({ newLine: ts.NewLineKind.LineFeed, removeComments: false });
const emptyFile: ts.SourceFile = ts.createSourceFile("node.ts", "", ts.ScriptTarget.ES2022);
