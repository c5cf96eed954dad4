import type { Json } from "@plumbline/model";

/** An entry of an object, or without a key of a list. */
export interface JsonEntry {
  readonly key?: string;
  readonly value: Json;
}

/**
 * Appends an entry to an object or a list in a JSON text. The rest of the text stays unchanged.
 *
 * @param text - The JSON text.
 * @param keys - The keys that lead to the object or list.
 * @throws Where the keys lead to neither.
 */
export function addJsonEntry(text: string, keys: readonly string[], { key, value }: JsonEntry): string {
  const into = containerAt(text, keys);
  const [, unit = "  "] = /\n([ \t]+)"/.exec(text) ?? [];
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const inner = `${lineBreak}${unit.repeat(keys.length + 1)}`;
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const written = name + JSON.stringify(value, undefined, unit).replaceAll("\n", inner);
  if (into.first === undefined) {
    const outer = `${lineBreak}${unit.repeat(keys.length)}`;
    return splice(text, [into.start + 1, into.end - 1], `${inner}${written}${outer}`);
  }
  // The new entry follows the style of the existing ones: on one line, or a line each.
  const before = text.slice(into.start + 1, into.first) || " ";
  return splice(text, [into.last, into.last], `,${before}${written}`);
}

function splice(text: string, [from, to]: readonly [number, number], by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** Offsets of an object or a list in the text: its brackets, the start of its first entry and the end of the last. */
interface Container {
  readonly start: number;
  readonly end: number;
  readonly first: number | undefined;
  readonly last: number;
  readonly within: ReadonlyMap<string, Container>;
}

function containerAt(text: string, keys: readonly string[]): Container {
  const pieces = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)];
  let found = readValue({ pieces, next: 0 }).container;
  for (const key of keys) found = found?.within.get(key);
  if (found === undefined) throw new Error(`Not an object or a list: ${["", ...keys].join("/")}`);
  return found;
}

interface TokenReader {
  readonly pieces: readonly RegExpExecArray[];
  next: number;
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly container?: Container;
}

/** Reads a value of a valid JSON text. */
function readValue(reading: TokenReader): Value {
  const { text, start, end } = nextToken(reading);
  if (text !== "{" && text !== "[") return { start, end };
  const within = new Map<string, Container>();
  let first: number | undefined;
  let last = end;
  for (;;) {
    const piece = peekToken(reading);
    if (piece === "}" || piece === "]") break;
    if (piece === ",") nextToken(reading);
    const opening = text === "{" ? nextToken(reading) : undefined;
    if (opening !== undefined) nextToken(reading); // the colon
    const value = readValue(reading);
    first ??= opening?.start ?? value.start;
    last = value.end;
    if (opening !== undefined && value.container !== undefined)
      within.set(String(JSON.parse(opening.text)), value.container);
  }
  const closing = nextToken(reading);
  return { start, end: closing.end, container: { start, end: closing.end, first, last, within } };
}

function peekToken({ pieces, next }: TokenReader): string | undefined {
  return pieces[next]?.[0];
}

function nextToken(reading: TokenReader): { readonly text: string; readonly start: number; readonly end: number } {
  const piece = reading.pieces[reading.next];
  if (piece === undefined) throw new Error("The text ends within a value");
  reading.next += 1;
  return { text: piece[0], start: piece.index, end: piece.index + piece[0].length };
}
