import { addIssue, addIssueAt, prefixPaths, type Issues } from "../issues/issues.js";
import { safeAssign } from "../values/safe-assign.js";
import { readJson } from "./json-text.js";
import { addValue, identity, parametersByName, type RawValue, type RawParameters } from "./raw-parameters.js";

/** Decodes a parameter from the values of its location. Undefined if the client did not send it. */
export type ParameterDecoder = (sent: RawParameters, name: string, issues: Issues) => unknown;

/** Decodes a text strictly. */
export type ScalarDecoder = (text: string, issues: Issues) => unknown;

export const stringValue: ScalarDecoder = (value) => value;

/** Decodes an integer as JSON writes it, up to 2^53 - 1: a handler would receive another number than the client has sent. */
export const integerValue: ScalarDecoder = (text, issues) => {
  if (!/^-?(0|[1-9]\d*)$/.test(text)) return addTypeIssue(issues, "integer");
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : addIssue(issues, "safeInteger");
};

/** Decodes a number as JSON writes it. */
export const numberValue: ScalarDecoder = (text, issues) => {
  const value = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : addTypeIssue(issues, "number");
};

export const booleanValue: ScalarDecoder = (value, issues) =>
  value === "true" ? true : value === "false" ? false : addTypeIssue(issues, "boolean");

/** Decodes the text `null`. */
export const nullValue: ScalarDecoder = (value, issues) => (value === "null" ? null : addTypeIssue(issues, "null"));

/** Decodes JSON. */
export const jsonValue: ScalarDecoder = readJson;

/** Decodes an object or an array in JSON. Any other text is an issue. */
export const jsonObject: ScalarDecoder = (text, issues) =>
  /^\s*[[{]/.test(text) ? readJson(text, issues) : addTypeIssue(issues, "object");

/** Decodes with the first decoder that accepts the text. Otherwise reports the issues of the last one. */
export function firstOf(...decoders: readonly ScalarDecoder[]): ScalarDecoder {
  return (text, issues) => {
    const before = issues.length;
    for (const decode of decoders) {
      issues.length = before;
      const value = decode(text, issues);
      if (issues.length === before) return value;
    }
    return undefined;
  };
}

/** Decodes a single text: `a=1`. */
export function singleValue(decode: ScalarDecoder): ParameterDecoder {
  return (sent, name, issues) => {
    const value = singleText(sent, name, issues);
    return value === undefined ? undefined : decoded(value, { sent, decode, issues });
  };
}

/** Decodes an array with one name for each item: `a=1&a=2`. OpenAPI: `form`, exploded. */
export function explodedArray(decode: ScalarDecoder): ParameterDecoder {
  return (sent, name, issues) => {
    const value = sent.get(name);
    return value === undefined ? undefined : itemsOf(asList(value), { sent, decode, issues });
  };
}

/**
 * Decodes an array in one text: `a=1,2`. A comma inside an item is percent-encoded, if the location has such an encoding.
 * The separator is a dot in an exploded `label`.
 */
export function commaDelimited(decode: ScalarDecoder, separator: Separator = ","): ParameterDecoder {
  return (sent, name, issues) => {
    const split = splitText({ sent, name, issues }, separator);
    return split && itemsOf(split.texts, { sent: split.sent, decode, issues });
  };
}

/** Decodes an array such as `a=1%202`, whose items have no spaces. */
export function spaceDelimited(decode: ScalarDecoder): ParameterDecoder {
  return commaDelimited(decode, " ");
}

/** Decodes an array such as `a=1|2`, whose items have no vertical bars. */
export function pipeDelimited(decode: ScalarDecoder): ParameterDecoder {
  return commaDelimited(decode, "|");
}

/** Decodes an object in one text with alternating names and values: `a=x,1,y,2`. `rest` decodes undeclared properties. Default: as texts. */
export function delimitedObject(
  decoders: Decoders<ScalarDecoder>,
  rest?: ScalarDecoder,
  separator: Separator = ",",
): ParameterDecoder {
  return (sent, name, issues) => {
    const split = splitText({ sent, name, issues }, separator);
    return split && objectOf(pairsInTurns(split.texts), { decoders, rest, sent: split.sent, issues });
  };
}

/** Decodes an object in one text with equals signs: `x=1,y=2`. OpenAPI: exploded objects in paths and headers. */
export function explodedPairs(
  decoders: Decoders<ScalarDecoder>,
  rest?: ScalarDecoder,
  separator: Separator = ",",
): ParameterDecoder {
  return (sent, name, issues) => {
    const split = splitText({ sent, name, issues }, separator);
    return split && objectOf(assignments(split.texts), { decoders, rest, sent: split.sent, issues });
  };
}

/**
 * Decodes an object from parameters named like its properties: `x=1&y=2`. OpenAPI: `form`, exploded. `rest` decodes those of other names,
 * except for names that belong to other parameters. Default: they are ignored.
 */
export function explodedObject(
  decoders: Decoders<ParameterDecoder>,
  rest?: ParameterDecoder,
  others: readonly string[] = [],
): ParameterDecoder {
  const declared = Object.keys(decoders);
  const isOwn = (name: string) => !others.some((each) => name === each || name.startsWith(`${each}[`));
  return (sent, _, issues) => {
    const keys = rest === undefined ? declared : new Set([...declared, ...[...sent.names()].filter(isOwn)]);
    return fieldsOf({ keys, nameOf: (key) => key }, { decoders, rest, sent, issues });
  };
}

/** Decodes `a[x]=1&a[y]=2`. A property may be an object in the same style. */
export function deepObject(decoders: Decoders<ParameterDecoder>, rest?: ParameterDecoder): ParameterDecoder {
  return (sent, name, issues) => {
    const nameOf = (key: string) => `${name}[${key}]`;
    const keys =
      rest === undefined ? Object.keys(decoders) : new Set([...Object.keys(decoders), ...keysIn(sent, name)]);
    return fieldsOf({ keys, nameOf }, { decoders, rest, sent, issues });
  };
}

/**
 * Decodes an array in `deepObject`, in each of its common forms: `a[]=1&a[]=2`, `a[0]=1&a[1]=2`, `a=1&a=2`. Items that are objects have indices:
 * `a[0][x]=1`. Indices only order the items.
 */
export function deepArray(item: ParameterDecoder): ParameterDecoder {
  return (sent, name, issues) => {
    const texts = [name, `${name}[]`].flatMap((each) => asList(sent.get(each) ?? []));
    const indices = indicesIn(sent, name);
    const count = texts.length + indices.length;
    if (count === 0) return undefined;
    if (count > maxItems) {
      addIssue(issues, "tooManyParameters", maxItems);
      return undefined;
    }
    const alone = (text: string | Blob): RawParameters =>
      parametersByName(new Map([[name, text]]), (each) => sent.decode(each));
    const sources = [
      ...texts.map((text) => ({ from: alone(text), at: name })),
      ...indices.map((index) => ({ from: sent, at: `${name}[${index}]` })),
    ];
    return sources.map(({ from, at }, index) => {
      const before = issues.length;
      const value = item(from, at, issues);
      prefixPaths(issues, before, index);
      return value;
    });
  };
}

/** Decodes with the first decoder that reads what the client sent: `a=1` or `a[x]=1`. Otherwise reports the issues of the first that finds some. */
export function firstSent(...decoders: readonly ParameterDecoder[]): ParameterDecoder {
  return (sent, name, issues) => {
    const before = issues.length;
    let firstIssues: Issues = [];
    for (const decode of decoders) {
      const value = decode(sent, name, issues);
      if (value !== undefined && issues.length === before) return value;
      const decoderIssues = issues.splice(before);
      if (firstIssues.length === 0) firstIssues = decoderIssues;
    }
    issues.push(...firstIssues);
    return undefined;
  };
}

/** Decodes a path segment that starts with a dot: `.1`, or `.1.2` with `commaDelimited(integerValue, ".")`. */
export function labelStyle(decode: ParameterDecoder): ParameterDecoder {
  return (sent, name, issues) => {
    const value = singleText(sent, name, issues);
    if (value === undefined) return undefined;
    if (!value.startsWith(".")) return addTypeIssue(issues, "label");
    return decode(
      parametersByName(new Map([[name, value.slice(1)]]), (each) => sent.decode(each)),
      name,
      issues,
    );
  };
}

/** Decodes a path segment of pairs: `;a=1`, or exploded `;a=1;a=2` or `;x=1;y=2`. A name alone has an empty value. */
export function matrixStyle(decode: ParameterDecoder): ParameterDecoder {
  return (sent, name, issues) => {
    const encoded = singleText(sent, name, issues);
    if (encoded === undefined) return undefined;
    if (!encoded.startsWith(";")) return addTypeIssue(issues, "matrix");
    const texts = new Map<string, string | string[]>();
    for (const pair of encoded.slice(1).split(";")) {
      const [key = "", ...value] = pair.split("=");
      addValue(texts, sent.decode(key) ?? key, value.join("="));
    }
    return decode(
      parametersByName(texts, (each) => sent.decode(each)),
      name,
      issues,
    );
  };
}

/** Decodes a cookie of the style `cookie`, whose values are not percent-encoded. */
export function plainCookie(decode: ParameterDecoder): ParameterDecoder {
  return (sent, name, issues) => decode({ ...sent, decode: identity }, name, issues);
}

/** Decodes a file of a form. */
export const fileField: ParameterDecoder = (sent, name, issues) => {
  const value = sent.get(name);
  if (value === undefined || value instanceof Blob) return value;
  if (typeof value === "string") return addTypeIssue(issues, "file");
  addIssue(issues, "duplicateParameter");
  return undefined;
};

/** Decodes several files with one name. */
export const fileFields: ParameterDecoder = (sent, name, issues) => {
  const value = sent.get(name);
  return value === undefined
    ? undefined
    : asList(value).map((each, index) => (each instanceof Blob ? each : addTypeIssueAt(index, issues, "file")));
};

export type Decoders<T> = Readonly<Record<string, T>>;

/** The separator between items. Spaces and vertical bars are percent-encoded themselves. */
export type Separator = "," | "." | " " | "|";

interface ScalarContext {
  readonly sent: RawParameters;
  readonly decode: ScalarDecoder;
  readonly issues: Issues;
}

interface ObjectContext<T> {
  readonly decoders: Decoders<T>;
  readonly rest?: T | undefined;
  readonly sent: RawParameters;
  readonly issues: Issues;
}

// A request line has fewer items; forms may be long.
const maxItems = 10_000;

function addTypeIssue(issues: Issues, type: string): undefined {
  addIssue(issues, "type", type);
}

function addTypeIssueAt(key: string | number, issues: Issues, type: string): undefined {
  addIssueAt(issues, key, "type", type);
}

/** Returns the only text of a name. Adds an issue for several, and for a file. */
function singleText(sent: RawParameters, name: string, issues: Issues): string | undefined {
  const value = sent.get(name);
  if (typeof value === "string" || value === undefined) return value;
  if (value instanceof Blob) return addTypeIssue(issues, "string");
  addIssue(issues, "duplicateParameter");
  return undefined;
}

function decoded(value: string, { sent, decode, issues }: ScalarContext): unknown {
  const plain = sent.decode(value);
  if (plain !== undefined) return decode(plain, issues);
  addIssue(issues, "syntax", "percent-encoded UTF-8");
  return undefined;
}

function asList(value: RawValue): readonly (string | Blob)[] {
  return typeof value === "string" || value instanceof Blob ? [value] : value;
}

function itemsOf(texts: readonly (string | Blob)[], reading: ScalarContext): unknown {
  const { issues } = reading;
  if (texts.length > maxItems) {
    addIssue(issues, "tooManyParameters", maxItems);
    return undefined;
  }
  return texts.map((each, index) => {
    if (typeof each !== "string") return addTypeIssueAt(index, issues, "string");
    const before = issues.length;
    const value = decoded(each, reading);
    prefixPaths(issues, before, index);
    return value;
  });
}

interface SplitText {
  readonly texts: readonly string[];
  /** What decodes each of them. */
  readonly sent: RawParameters;
}

/** Splits the only text of a name. Undefined, perhaps with an issue, if there is none. */
function splitText(
  { sent, name, issues }: { readonly sent: RawParameters; readonly name: string; readonly issues: Issues },
  separator: Separator,
): SplitText | undefined {
  const value = singleText(sent, name, issues);
  if (value === undefined) return undefined;
  if (separator === "," || separator === ".") return { texts: value.split(separator), sent };
  const plain = decoded(value, { sent, decode: stringValue, issues });
  return typeof plain === "string" ? { texts: plain.split(separator), sent: { ...sent, decode: identity } } : undefined;
}

type Pair = readonly [key: string, value: string];

function pairsInTurns(texts: readonly string[]): readonly Pair[] | undefined {
  if (texts.length % 2 === 1) return undefined;
  return Array.from({ length: texts.length / 2 }, (_, index) => [texts[2 * index] ?? "", texts[2 * index + 1] ?? ""]);
}

function assignments(texts: readonly string[]): readonly Pair[] | undefined {
  if (!texts.every((each) => each.includes("="))) return undefined;
  return texts.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]);
}

function objectOf(pairs: readonly Pair[] | undefined, reading: ObjectContext<ScalarDecoder>): unknown {
  const { decoders, rest, sent, issues } = reading;
  if (pairs === undefined) return addTypeIssue(issues, "object");
  if (pairs.length > maxItems) {
    addIssue(issues, "tooManyParameters", maxItems);
    return undefined;
  }
  const fields: Record<string, unknown> = {};
  for (const [encoded, value] of pairs) {
    const key = sent.decode(encoded);
    if (key === undefined) return decoded(encoded, { sent, decode: stringValue, issues });
    const before = issues.length;
    if (Object.hasOwn(fields, key)) addIssue(issues, "duplicateParameter");
    else
      safeAssign(
        fields,
        key,
        decoded(value, { sent, decode: ownDecoder(decoders, key) ?? rest ?? stringValue, issues }),
      );
    prefixPaths(issues, before, key);
  }
  return fields;
}

interface PropertyNaming {
  readonly keys: Iterable<string>;
  readonly nameOf: (key: string) => string;
}

/** Decodes properties with names of their own. Undefined if the client sent none of them. */
function fieldsOf(
  { keys, nameOf }: PropertyNaming,
  { decoders, rest, sent, issues }: ObjectContext<ParameterDecoder>,
): unknown {
  const fields: Record<string, unknown> = {};
  let isSent = false;
  for (const key of keys) {
    const before = issues.length;
    const value = (ownDecoder(decoders, key) ?? rest)?.(sent, nameOf(key), issues);
    prefixPaths(issues, before, key);
    if (value === undefined && issues.length === before) continue;
    isSent = true;
    safeAssign(fields, key, value);
  }
  return isSent ? fields : undefined;
}

/** The keys of the first level: `x` of `a[x]` and of `a[x][0]`. */
function keysIn(sent: RawParameters, name: string): readonly string[] {
  const start = `${name}[`;
  return [...sent.names()].flatMap((each) =>
    each.startsWith(start) && each.endsWith("]") ? each.slice(start.length, -1).split("][", 1) : [],
  );
}

/** The indices of an array, in ascending order. */
function indicesIn(sent: RawParameters, name: string): readonly number[] {
  const start = `${name}[`;
  const indices = new Set<number>();
  for (const each of sent.names()) {
    const index = each.startsWith(start) ? /^(\d{1,5})\]/.exec(each.slice(start.length))?.[1] : undefined;
    if (index !== undefined) indices.add(Number(index));
  }
  return [...indices].toSorted((a, b) => a - b);
}

export function ownDecoder<T>(record: Decoders<T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
