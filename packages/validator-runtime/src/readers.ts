import { fail, failAt, under, type Faults } from "./faults.js";
import { readJson } from "./json-text.js";
import { put } from "./put.js";
import { add, asItIs, sentByName, type Given, type Sent } from "./sent.js";

/** Decodes a parameter from the values of its location. Undefined if the client did not send it. */
export type Reader = (sent: Sent, name: string, faults: Faults) => unknown;

/** Decodes a text strictly. */
export type TextReader = (text: string, faults: Faults) => unknown;

export const text: TextReader = (given) => given;

/** Decodes an integer as JSON writes it, up to 2^53 - 1. */
export const integer: TextReader = (given, faults) => {
  const value = /^-?(0|[1-9]\d*)$/.test(given) ? Number(given) : Number.NaN;
  return Number.isSafeInteger(value) ? value : wrong(faults, "integer");
};

/** Decodes a number as JSON writes it. */
export const number: TextReader = (given, faults) => {
  const value = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(given) ? Number(given) : Number.NaN;
  return Number.isFinite(value) ? value : wrong(faults, "number");
};

export const boolean: TextReader = (given, faults) =>
  given === "true" ? true : given === "false" ? false : wrong(faults, "boolean");

/** Decodes the text `null`. */
export const nothing: TextReader = (given, faults) => (given === "null" ? null : wrong(faults, "null"));

/** Decodes JSON. */
export const jsonText: TextReader = readJson;

/** Decodes with the first reader that accepts the text. Otherwise reports the faults of the last one. */
export function anyOf(...readers: readonly TextReader[]): TextReader {
  return (given, faults) => {
    const before = faults.length;
    for (const read of readers) {
      faults.length = before;
      const value = read(given, faults);
      if (faults.length === before) return value;
    }
    return undefined;
  };
}

/** Decodes a single text: `a=1`. */
export function one(read: TextReader): Reader {
  return (sent, name, faults) => {
    const given = onlyText(sent, name, faults);
    return given === undefined ? undefined : decoded(given, { sent, read, faults });
  };
}

/** Decodes an array with one name for each item: `a=1&a=2`. OpenAPI: `form`, exploded. */
export function exploded(read: TextReader): Reader {
  return (sent, name, faults) => {
    const given = sent.get(name);
    return given === undefined ? undefined : itemsOf(asList(given), { sent, read, faults });
  };
}

/**
 * Decodes an array in one text: `a=1,2`. A comma inside an item is percent-encoded, if the location has such an encoding.
 * The separator is a dot in an exploded `label`.
 */
export function csv(read: TextReader, separator: Separator = ","): Reader {
  return (sent, name, faults) => {
    const given = onlyText(sent, name, faults);
    return given === undefined ? undefined : itemsOf(given.split(separator), { sent, read, faults });
  };
}

/** Decodes an array such as `a=1%202`, whose items have no spaces. */
export function spaceDelimited(read: TextReader): Reader {
  return delimited(" ", read);
}

/** Decodes an array such as `a=1|2`, whose items have no vertical bars. */
export function pipeDelimited(read: TextReader): Reader {
  return delimited("|", read);
}

/** Decodes an object in one text with alternating names and values: `a=x,1,y,2`. */
export function object(readers: Readers<TextReader>, rest?: TextReader): Reader {
  return (sent, name, faults) => {
    const given = onlyText(sent, name, faults);
    return given === undefined ? undefined : objectOf(pairsInTurns(given), { readers, rest, sent, faults });
  };
}

/** Decodes an object in one text with equals signs: `x=1,y=2`. OpenAPI: exploded objects in paths and headers. */
export function assigned(readers: Readers<TextReader>, separator: Separator = ",", rest?: TextReader): Reader {
  return (sent, name, faults) => {
    const given = onlyText(sent, name, faults);
    return given === undefined ? undefined : objectOf(assignments(given, separator), { readers, rest, sent, faults });
  };
}

/** Decodes an object from parameters named like its properties: `x=1&y=2`. OpenAPI: `form`, exploded. */
export function explodedObject(readers: Readers<Reader>): Reader {
  const naming: Naming = { keys: Object.keys(readers), nameOf: (key) => key };
  return (sent, _, faults) => fieldsOf(naming, { readers, sent, faults });
}

/** Decodes `a[x]=1&a[y]=2`. A property may be an object in the same style. */
export function deepObject(readers: Readers<Reader>, rest?: Reader): Reader {
  return (sent, name, faults) => {
    const nameOf = (key: string) => `${name}[${key}]`;
    const keys = rest === undefined ? Object.keys(readers) : new Set([...Object.keys(readers), ...keysIn(sent, name)]);
    return fieldsOf({ keys, nameOf }, { readers, rest, sent, faults });
  };
}

/** Decodes a path segment that starts with a dot: `.1`, or `.1.2` with `csv(integer, ".")`. */
export function label(read: Reader): Reader {
  return (sent, name, faults) => {
    const given = onlyText(sent, name, faults);
    if (given === undefined) return undefined;
    if (!given.startsWith(".")) return wrong(faults, "label");
    return read(
      sentByName(new Map([[name, given.slice(1)]]), (each) => sent.decode(each)),
      name,
      faults,
    );
  };
}

/** Decodes a path segment of pairs: `;a=1`, or exploded `;a=1;a=2` or `;x=1;y=2`. */
export function matrix(read: Reader): Reader {
  return (sent, name, faults) => {
    const given = onlyText(sent, name, faults);
    if (given === undefined) return undefined;
    const pairs = given.startsWith(";") ? assignments(given.slice(1), ";") : undefined;
    if (pairs === undefined) return wrong(faults, "matrix");
    const texts = new Map<string, string | string[]>();
    for (const [key, value] of pairs) add(texts, key, value);
    return read(
      sentByName(texts, (each) => sent.decode(each)),
      name,
      faults,
    );
  };
}

/** Decodes a file of a form. */
export const file: Reader = (sent, name, faults) => {
  const given = sent.get(name);
  if (given === undefined) return undefined;
  return given instanceof Blob ? given : wrong(faults, "file");
};

/** Decodes several files with one name. */
export const files: Reader = (sent, name, faults) => {
  const given = sent.get(name);
  return given === undefined
    ? undefined
    : asList(given).map((each, index) => (each instanceof Blob ? each : wrongAt(index, faults, "file")));
};

export type Readers<T> = Readonly<Record<string, T>>;

/** The separator between items. */
export type Separator = "," | ".";

interface Reading {
  readonly sent: Sent;
  readonly read: TextReader;
  readonly faults: Faults;
}

interface ReadingFields<T> {
  readonly readers: Readers<T>;
  readonly rest?: T | undefined;
  readonly sent: Sent;
  readonly faults: Faults;
}

// A request line has fewer items; forms may be long.
const mostItems = 10_000;

function wrong(faults: Faults, type: string): undefined {
  fail(faults, "type", type);
}

function wrongAt(key: string | number, faults: Faults, type: string): undefined {
  failAt(faults, key, "type", type);
}

/** Returns the only text of a name. Adds a fault for several, and for a file. */
function onlyText(sent: Sent, name: string, faults: Faults): string | undefined {
  const given = sent.get(name);
  if (typeof given === "string" || given === undefined) return given;
  if (given instanceof Blob) return wrong(faults, "string");
  fail(faults, "once");
  return undefined;
}

function decoded(given: string, { sent, read, faults }: Reading): unknown {
  const plain = sent.decode(given);
  if (plain !== undefined) return read(plain, faults);
  fail(faults, "syntax", "percent-encoded UTF-8");
  return undefined;
}

function asList(given: Given): readonly (string | Blob)[] {
  return typeof given === "string" || given instanceof Blob ? [given] : given;
}

function itemsOf(texts: readonly (string | Blob)[], reading: Reading): unknown {
  const { faults } = reading;
  if (texts.length > mostItems) {
    fail(faults, "many", mostItems);
    return undefined;
  }
  return texts.map((each, index) => {
    if (typeof each !== "string") return wrongAt(index, faults, "string");
    const before = faults.length;
    // Headers may have spaces after commas.
    const value = decoded(each.trim(), reading);
    under(faults, before, index);
    return value;
  });
}

function delimited(separator: string, read: TextReader): Reader {
  return (sent, name, faults) => {
    const given = onlyText(sent, name, faults);
    if (given === undefined) return undefined;
    // These separators are percent-encoded themselves.
    const plain = sent.decode(given);
    if (plain === undefined) return decoded(given, { sent, read, faults });
    return itemsOf(plain.split(separator), { sent: { ...sent, decode: asItIs }, read, faults });
  };
}

type Pair = readonly [key: string, value: string];

function pairsInTurns(given: string): readonly Pair[] | undefined {
  const texts = given.split(",");
  if (texts.length % 2 === 1) return undefined;
  return Array.from({ length: texts.length / 2 }, (_, index) => [texts[2 * index] ?? "", texts[2 * index + 1] ?? ""]);
}

function assignments(given: string, separator: string): readonly Pair[] | undefined {
  const pairs = given.split(separator).map((each): Pair => {
    const equals = each.indexOf("=");
    return [each.slice(0, Math.max(equals, 0)), each.slice(equals + 1)];
  });
  return pairs.some(([key]) => key === "") ? undefined : pairs;
}

function objectOf(pairs: readonly Pair[] | undefined, reading: ReadingFields<TextReader>): unknown {
  const { readers, rest, sent, faults } = reading;
  if (pairs === undefined) return wrong(faults, "object");
  if (pairs.length > mostItems) {
    fail(faults, "many", mostItems);
    return undefined;
  }
  const fields: Record<string, unknown> = {};
  for (const [encoded, given] of pairs) {
    const key = sent.decode(encoded.trim());
    if (key === undefined) return decoded(encoded, { sent, read: text, faults });
    const before = faults.length;
    if (Object.hasOwn(fields, key)) fail(faults, "once");
    else put(fields, key, decoded(given.trim(), { sent, read: own(readers, key) ?? rest ?? text, faults }));
    under(faults, before, key);
  }
  return fields;
}

interface Naming {
  readonly keys: Iterable<string>;
  readonly nameOf: (key: string) => string;
}

/** Decodes properties with names of their own. Undefined if the client sent none of them. */
function fieldsOf({ keys, nameOf }: Naming, { readers, rest, sent, faults }: ReadingFields<Reader>): unknown {
  const fields: Record<string, unknown> = {};
  let isSent = false;
  for (const key of keys) {
    const before = faults.length;
    const value = (own(readers, key) ?? rest)?.(sent, nameOf(key), faults);
    under(faults, before, key);
    if (value === undefined && faults.length === before) continue;
    isSent = true;
    put(fields, key, value);
  }
  return isSent ? fields : undefined;
}

function keysIn(sent: Sent, name: string): readonly string[] {
  const keys = [...sent.names()].map((each) =>
    each.startsWith(`${name}[`) ? /^\[([^[\]]*)\]$/.exec(each.slice(name.length)) : null,
  );
  return keys.flatMap((found) => found?.[1] ?? []);
}

function own<T>(record: Readers<T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
