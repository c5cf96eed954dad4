import { addFirstInexact } from "./exact-numbers.js";
import { fail, type Faults } from "./faults.js";

/** Deeper values are refused, since whoever walks them may do so recursively. */
export const mostLevels = 64;

/** More fields than this, in all objects of a body together, are not parsed: each name that is new costs the engine microseconds. */
export const mostFields = 10_000;

/** What readJson is not asked to parse. */
export interface JsonBounds {
  /** Fields of all objects together. */
  readonly fields?: number;
}

/**
 * The value of a JSON text. Malformed, deeper than 64 levels, with a key twice in one object, with half a surrogate
 * pair, or with a number that it cannot carry exactly: a fault, and undefined. `__proto__` is a key like any other.
 */
export function readJson(text: string, faults: Faults, { fields = Infinity }: JsonBounds = {}): unknown {
  if (text.length > fields * leastField && hasMoreFields(text, fields)) {
    fail(faults, "many", fields);
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail(faults, "syntax", "JSON");
    return undefined;
  }
  const { members, levels, mayBeHalf } = survey(text);
  if (levels > mostLevels) {
    fail(faults, "depth", mostLevels);
    return undefined;
  }
  if (members !== membersOf(value)) {
    addFirstDuplicate(text, faults);
    return undefined;
  }
  if (mayBeHalf && addFirstHalf(value, faults)) return undefined;
  const before = faults.length;
  addFirstInexact(text, faults);
  return faults.length > before ? undefined : value;
}

/** UTF-8 as it should be: nothing malformed, and no mark of byte order. Undefined and a fault when it is not. */
export function readUtf8(bytes: Uint8Array, faults: Faults): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    fail(faults, "unicode");
    return undefined;
  }
}

// A mark of byte order stays in the text, where JSON has no place for it.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Characters of `"":1`. */
const leastField = 4;

/** Whether a text has more colons outside of strings, whether or not it is JSON. */
function hasMoreFields(text: string, most: number): boolean {
  let fields = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === colon) {
      fields += 1;
      if (fields > most) return true;
    } else if (code === quote) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== quote; at += 1)
        if (text.charCodeAt(at) === backslash) at += 1;
    }
  }
  return false;
}

interface Survey {
  readonly members: number;
  readonly levels: number;
  /** Whether there is an escape of half a surrogate pair. */
  readonly mayBeHalf: boolean;
}

/** One pass over a text that is JSON. */
function survey(text: string): Survey {
  let members = 0;
  let level = 0;
  let levels = 0;
  let mayBeHalf = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      for (at += 1; ; at += 1) {
        const inside = text.charCodeAt(at);
        if (inside === quote) break;
        if (inside !== backslash) continue;
        at += 1;
        // \ud8.. to \udf..
        if (text.charCodeAt(at) === 0x75 && (text.charCodeAt(at + 1) | 0x20) === 0x64) mayBeHalf = true;
      }
    } else if (code === colon) members += 1;
    // [ and {, ] and } differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      level += 1;
      if (level > levels) levels = level;
    } else if ((code | 0x20) === 0x7d) level -= 1;
  }
  return { members, levels, mayBeHalf };
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) {
    let count = 0;
    for (const item of value) if (typeof item === "object") count += membersOf(item);
    return count;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  let count = 0;
  // What JSON.parse makes has no prototype of its own; whoever adds fields to everybody's has the slow pass.
  // oxlint-disable-next-line guard-for-in
  for (const key in fields) {
    count += 1;
    const field = fields[key];
    if (typeof field === "object") count += membersOf(field);
  }
  return count;
}

/** Walks a text that is JSON, not deep, and has a key twice somewhere. */
function addFirstDuplicate(text: string, faults: Faults): void {
  const path: (string | number)[] = [];
  const levels: { readonly keys: Set<string> | undefined }[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [whole, key] = found;
    const last = path.length - 1;
    if (whole === "{" || whole === "[") {
      levels.push({ keys: whole === "{" ? new Set() : undefined });
      path.push(0);
    } else if (whole === "}" || whole === "]") {
      levels.pop();
      path.pop();
    } else if (whole === ",") {
      const index = path[last];
      if (levels.at(-1)?.keys === undefined && typeof index === "number") path[last] = index + 1;
    } else if (key !== undefined) {
      const name = JSON.parse(key) as string;
      path[last] = name;
      const keys = levels.at(-1)?.keys;
      if (keys?.has(name) === true) {
        faults.push({ path, code: "once" });
        return;
      }
      keys?.add(name);
    }
  }
}

// Strings that are keys, other strings, and what has a meaning of its own. Numbers and words are passed over.
const token = /("(?:[^"\\]|\\.)*")[ \t\n\r]*:|"(?:[^"\\]|\\.)*"|[[\]{},]/gs;

function addFirstHalf(value: unknown, faults: Faults): boolean {
  const before = faults.length;
  findHalf(value, [], faults);
  return faults.length > before;
}

function findHalf(value: unknown, path: readonly (string | number)[], faults: Faults): boolean {
  if (typeof value === "string") {
    if (!half.test(value)) return false;
    faults.push({ path: [...path], code: "unicode" });
    return true;
  }
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item, index) => findHalf(item, [...path, index], faults));
  return Object.entries(value).some(([key, field]) => {
    if (!half.test(key)) return findHalf(field, [...path, key], faults);
    // The key cannot be told in words that are well-formed.
    faults.push({ path: [...path], code: "unicode" });
    return true;
  });
}

const half = /\p{Surrogate}/u;
