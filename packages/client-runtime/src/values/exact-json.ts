import { hasToJson } from "./plain-objects.js";

/** A parsed JSON text. */
export interface ParsedJson {
  readonly value: unknown;
  /** The same, but each number that JavaScript may not represent exactly is an array with its text. */
  readonly exact: unknown;
}

/** Parses a JSON text, where numbers need not be exact. */
export function parseJson(text: string): ParsedJson {
  return { value: JSON.parse(text) as unknown, exact: undefined };
}

/** Parses a JSON text, and keeps the texts of long numbers. Throws a SyntaxError for a text that is not JSON. */
export function parseExactJson(text: string): ParsedJson {
  const value: unknown = JSON.parse(text);
  return { value, exact: longNumber.test(text) ? (JSON.parse(markLongNumbers(text)) as unknown) : undefined };
}

// Numbers of up to 15 digits without an exponent are exact. Also matches in texts: `markLongNumbers` then finds nothing.
const longNumber = /\d[\d.]{15}|\d[eE]/;
const anyNumber = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Replaces each long number of a valid JSON text by an array with its text. A value in place of a value: the text stays valid. */
function markLongNumbers(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('"', at);
    const outside = text.slice(at, open < 0 ? undefined : open);
    pieces.push(longNumber.test(outside) ? outside.replace(anyNumber, markNumber) : outside);
    if (open < 0) break;
    at = endOfText(text, open);
    pieces.push(text.slice(open, at));
  }
  return pieces.join("");
}

function markNumber(text: string): string {
  return longNumber.test(text) ? `["${text}"]` : text;
}

/** The index after the quote that ends a text. */
function endOfText(text: string, open: number): number {
  for (let close = open; ;) {
    close = text.indexOf('"', close + 1);
    let before = close;
    while (text[before - 1] === "\\") before--;
    if ((close - before) % 2 === 0) return close + 1;
  }
}

/** Formats JSON as `JSON.stringify` does, with each `bigint` as its digits. */
export function stringifyExactJson(value: unknown): string | undefined {
  let isLong = false;
  const text: string | undefined = JSON.stringify(value, function (this: Record<string, unknown>, key, each: unknown) {
    // Not `each`: a program may have given `bigint` a `toJSON`.
    const given = this[key];
    if (typeof given !== "bigint") return each;
    isLong ||= !Number.isSafeInteger(Number(given));
    return Number(given);
  });
  return isLong ? stringify(value, "") : text;
}

/** Much slower than `JSON.stringify`, so only for values that need it. Such a value has no cycle. */
function stringify(given: unknown, key: string): string | undefined {
  if (typeof given === "bigint") return String(given);
  const value = typeof given === "object" && given !== null && hasToJson(given) ? given.toJSON(key) : given;
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value))
    return `[${Array.from(value, (each: unknown, index) => stringify(each, String(index)) ?? "null").join()}]`;
  if (typeof value !== "object" || value === null || isBoxed(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, each]) => {
    const text = stringify(each, name);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join()}}`;
}

function isBoxed(value: object): boolean {
  return /^\[object (String|Number|Boolean)\]$/.test(Object.prototype.toString.call(value));
}
