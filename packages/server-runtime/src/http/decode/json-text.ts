import { addIssue, type Issues } from "../issues/issues.js";
import { addFirstInexactNumber } from "./exact-numbers.js";

/** Maximum nesting depth of a JSON text. Code that processes deeper values may overflow the stack. */
export const maxJsonDepth = 64;

/** Maximum number of properties in a body, in all of its objects together. The engine needs microseconds for each new name. */
export const maxJsonProperties = 10_000;

/** Limits of `readJson`. */
export interface JsonLimits {
  /** Maximum number of properties in all objects together. */
  readonly properties?: number;
}

/**
 * Parses a JSON text. Adds an issue and returns undefined for malformed text, more than 64 levels, duplicate keys, lone surrogates, and
 * numbers that a double cannot represent exactly. `__proto__` is an ordinary key.
 */
export function readJson(text: string, issues: Issues, { properties = Infinity }: JsonLimits = {}): unknown {
  if (text.length > properties * minPropertyLength && hasMoreProperties(text, properties)) {
    addIssue(issues, "tooManyParameters", properties);
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    addIssue(issues, "syntax", "JSON");
    return undefined;
  }
  const { members, levels, mayBeHalf } = scanJson(text);
  if (levels > maxJsonDepth) {
    addIssue(issues, "depth", maxJsonDepth);
    return undefined;
  }
  if (members !== membersOf(value)) {
    addFirstDuplicate(text, issues);
    return undefined;
  }
  if (mayBeHalf && addFirstLoneSurrogate(value, issues)) return undefined;
  const before = issues.length;
  addFirstInexactNumber(text, issues);
  return issues.length > before ? undefined : value;
}

/** Decodes UTF-8. Adds an issue and returns undefined for malformed bytes. Keeps a byte order mark. */
export function readUtf8(bytes: Uint8Array, issues: Issues): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    addIssue(issues, "unicode");
    return undefined;
  }
}

// A byte order mark stays in the text, where JSON does not allow it.
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Characters of `"":1`. */
const minPropertyLength = 4;

/** Whether a text has more colons outside of strings than `most`. The text need not be JSON. */
function hasMoreProperties(text: string, most: number): boolean {
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

interface JsonScan {
  readonly members: number;
  readonly levels: number;
  /** True if there is an escape of a surrogate. */
  readonly mayBeHalf: boolean;
}

/** Scans a valid JSON text once. */
function scanJson(text: string): JsonScan {
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
  // Objects of `JSON.parse` inherit no enumerable properties. A program that adds some to `Object.prototype` only loses speed.
  for (const key in fields) {
    count += 1;
    const field = fields[key];
    if (typeof field === "object") count += membersOf(field);
  }
  return count;
}

/** Finds the duplicate key in a valid JSON text of limited depth. */
function addFirstDuplicate(text: string, issues: Issues): void {
  const path: (string | number)[] = [];
  const levels: { readonly keys: Set<string> | undefined }[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [whole, key] = match;
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
        issues.push({ path, code: "duplicateParameter" });
        return;
      }
      keys?.add(name);
    }
  }
}

// Strings that are keys, other strings, brackets and commas. Skips numbers and literals.
const token = /("(?:[^"\\]|\\.)*")[ \t\n\r]*:|"(?:[^"\\]|\\.)*"|[[\]{},]/gs;

function addFirstLoneSurrogate(value: unknown, issues: Issues): boolean {
  const before = issues.length;
  findLoneSurrogate(value, [], issues);
  return issues.length > before;
}

function findLoneSurrogate(value: unknown, path: readonly (string | number)[], issues: Issues): boolean {
  if (typeof value === "string") {
    if (!loneSurrogate.test(value)) return false;
    issues.push({ path: [...path], code: "unicode" });
    return true;
  }
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item, index) => findLoneSurrogate(item, [...path, index], issues));
  return Object.entries(value).some(([key, field]) => {
    if (!loneSurrogate.test(key)) return findLoneSurrogate(field, [...path, key], issues);
    // The path ends at the object: the key itself is not well-formed.
    issues.push({ path: [...path], code: "unicode" });
    return true;
  });
}

const loneSurrogate = /\p{Surrogate}/u;
