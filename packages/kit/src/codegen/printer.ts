/**
 * Builds TypeScript from a closed set of pieces. Text of a description becomes an identifier, a literal or a comment; only template
 * literals of the generators are code:
 *
 *     code`export const ${name("limit")} = ${literal(3)};`
 */
import { isJsonArray, isReservedWord, type Json } from "../model/index.js";
import { formatComment } from "./comments.js";
import { escapeInvisible } from "./escape-invisible.js";

/** A piece of TypeScript. Only this module creates them. */
export interface Code {
  readonly [brand]: true;
  readonly parts: readonly Part[];
}

declare const brand: unique symbol;
type Part = string | Import | Name | Code;

interface Import {
  readonly name: string;
  readonly from: string;
  readonly kind: "value" | "type";
}

/** An identifier that is known when the file is printed. */
interface Name {
  readonly read: () => string;
}

/** Creates code from a template literal with pieces. A list of pieces is joined by line breaks. */
export function code(strings: TemplateStringsArray, ...pieces: readonly (Code | readonly Code[])[]): Code {
  const parts: Part[] = [];
  let index = 0;
  for (const text of strings) {
    appendPart(parts, text);
    const piece = pieces[index++];
    if (piece === undefined) continue;
    if (isList(piece)) appendPieces(parts, piece, lineBreak);
    else appendPart(parts, piece);
  }
  return createCode(parts);
}

const lineBreak = createCode(["\n"]);

/** Joins pieces with a separator. */
export function joinCode(pieces: readonly Code[], between: Code): Code {
  const parts: Part[] = [];
  appendPieces(parts, pieces, between);
  return createCode(parts);
}

function appendPieces(parts: Part[], pieces: readonly Code[], between: Code): void {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) appendPart(parts, between);
    appendPart(parts, piece);
    isFirst = false;
  }
}

/** Merges adjacent texts, so that a piece has only the parts that its imports need. */
function appendPart(parts: Part[], added: string | Code): void {
  if (typeof added !== "string" && added.parts.length > 1) {
    parts.push(added);
    return;
  }
  const part = typeof added === "string" ? added : added.parts[0];
  if (part === undefined || part === "") return;
  const last = parts.at(-1);
  if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
  else parts.push(part);
}

/** Creates an identifier. Throws for an invalid one and for a reserved word. */
export function identifier(text: string): Code {
  if (!isIdentifier(text) || isReservedWord(text))
    throw new Error(`${JSON.stringify(text)} is not usable as an identifier`);
  return createCode([text]);
}

/** Creates an identifier that is read whenever its code is printed. */
export function lateIdentifier(read: () => string): Code {
  return createCode([{ read }]);
}

/** Creates the key of an object literal or a type: an identifier where possible, else a string. */
export function propertyKey(text: string): Code {
  return createCode([keyText(text)]);
}

function keyText(text: string): string {
  if (text === "__proto__") return `[${quote(text)}]`;
  return isIdentifier(text) ? text : quote(text);
}

/** Creates the literal of a JSON value. */
export function jsonLiteral(value: Json): Code {
  return createCode([literalText(value)]);
}

function literalText(value: Json): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (isJsonArray(value)) return `[${value.map(literalText).join(", ")}]`;
  const entries = Object.entries(value).map(([each, inner]) => `${keyText(each)}: ${literalText(inner)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Creates a JSDoc block. No line can end it early. */
export function docComment(lines: readonly string[]): Code {
  const text = formatComment(lines);
  return createCode(text === "" ? [] : [`/*${text}*/`]);
}

/** Imports a value. The import statement is printed at the top of the file. */
export function importValue(what: string, from: string): Code {
  return createCode([{ name: checkIdentifier(what), from, kind: "value" }]);
}

/** Imports a type. */
export function importType(what: string, from: string): Code {
  return createCode([{ name: checkIdentifier(what), from, kind: "type" }]);
}

/** The text of a piece, for comparisons. */
export function renderCode(piece: Code): string {
  return renderWith(piece, ({ name: each }) => each);
}

/**
 * Prints a file: sorted imports, statements. An import with the name of a declaration gets an alias. Of two imports with one
 * name, that of a neighbouring file keeps it, and that of a package gets the alias.
 *
 * @param reserved - Further names that imports cannot have, such as those of local variables.
 */
export function printSourceFile(statements: readonly Code[], reserved: Iterable<string> = []): string {
  const imports = new Map<string, Map<string, "value" | "type">>();
  const collect = (part: Import): string => {
    const names = imports.get(part.from) ?? new Map<string, "value" | "type">();
    if (names.get(part.name) !== "value") names.set(part.name, part.kind);
    imports.set(part.from, names);
    return part.name;
  };
  const rendered = statements.map((statement) => renderWith(statement, collect));
  const declared = rendered.flatMap(declaredNames);
  const sorted = [...imports].sort(([a], [b]) => compareText(a, b));
  const here = localNames(sorted, [...reserved, ...declared]);
  const local = ({ name: each, from }: Pick<Import, "name" | "from">): string => here.get(from)?.get(each) ?? each;
  const lines = sorted.map(([from, names]) => importLine(from, names, local));
  const hasAliases = [...here.values()].some(({ size }) => size > 0);
  const text = hasAliases ? statements.map((each) => renderWith(each, local)) : rendered;
  const head = lines.length > 0 ? `${lines.join("\n")}\n\n` : "";
  return `${head}${text.map((each) => `${each}\n\n`).join("")}`;
}

/** The names that a statement declares: the first one, and those of exports. */
function declaredNames(text: string): readonly string[] {
  const start = text.startsWith("/*") ? text.indexOf("*/") + 2 : 0;
  const [, first] = firstDeclaration.exec(text.slice(start).trimStart()) ?? [];
  // Most statements export nothing, and a search for a line that does would take longer than printing them.
  const exported = text.includes("export ")
    ? [...text.matchAll(exportedDeclaration)].flatMap(([, name]) => name ?? [])
    : [];
  return first === undefined ? exported : [first, ...exported];
}

const firstDeclaration = /^(?:async )?(?:const|class|enum|function|interface|let|type) ([\w$]+)/;
const exportedDeclaration = /^export (?:async )?(?:const|class|enum|function|interface|let|type) ([\w$]+)/gm;

type Imports = readonly (readonly [from: string, names: ReadonlyMap<string, unknown>])[];

/** The aliases of imports, by module and name. */
function localNames(imports: Imports, reserved: Iterable<string>): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const declared = new Set([...reserved, ...libraryNames]);
  // All existing names are reserved first, so that no alias collides with one.
  const used = new Set([...declared, ...imports.flatMap(([, names]) => [...names.keys()])]);
  const boundNames = new Set(declared);
  const neighboursFirst = [...imports].sort(([a], [b]) => Number(isNeighbour(b)) - Number(isNeighbour(a)));
  return new Map(
    neighboursFirst.map(([from, names]) => {
      const renamed = new Map<string, string>();
      for (const each of [...names.keys()].sort(compareText)) {
        if (!boundNames.has(each)) {
          boundNames.add(each);
          continue;
        }
        let free = `$${each}`;
        while (used.has(free)) free = `$${free}`;
        used.add(free);
        renamed.set(each, free);
      }
      return [from, renamed] as const;
    }),
  );
}

/** Names of the standard library that generated code uses. A schema may have the same name. */
const libraryNames: readonly string[] =
  "Blob Exclude Map Partial Promise ReadableStream Readonly ReadonlyMap ReadonlySet Record RegExp Set Uint8Array".split(
    " ",
  );

function isNeighbour(from: string): boolean {
  return from.startsWith(".");
}

/** The text of a piece, with the names of imports from `nameOf`. */
function renderWith({ parts }: Code, nameOf: (part: Import) => string): string {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if ("read" in part) text += part.read();
    else text += "from" in part ? nameOf(part) : renderWith(part, nameOf);
  }
  return text;
}

export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text);
}

function importLine(
  from: string,
  names: ReadonlyMap<string, "value" | "type">,
  local: (imported: { readonly name: string; readonly from: string }) => string,
): string {
  const sorted = [...names].sort(([a], [b]) => compareText(a, b));
  const onlyTypes = sorted.every(([, kind]) => kind === "type");
  const list = sorted.map(([each, kind]) => {
    const here = local({ name: each, from });
    const renamed = here === each ? each : `${each} as ${here}`;
    return kind === "type" && !onlyTypes ? `type ${renamed}` : renamed;
  });
  return `import ${onlyTypes ? "type " : ""}{ ${list.join(", ")} } from ${quote(from)};`;
}

function quote(text: string): string {
  // JSON is a subset of TypeScript, except for the two line separators; invisible characters are escaped too.
  return escapeInvisible(JSON.stringify(text));
}

function checkIdentifier(text: string): string {
  if (!isIdentifier(text)) throw new Error(`${JSON.stringify(text)} is not an identifier`);
  return text;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isList(piece: Code | readonly Code[]): piece is readonly Code[] {
  return Array.isArray(piece);
}

function createCode(parts: readonly Part[]): Code {
  return { parts } as unknown as Code;
}
