import { addIssue, isArray, isObject, ownField, type Check } from "../../http/index.js";

/** Lengths of values. JSON Schema counts code points: a character beyond U+FFFF counts once, although JavaScript has two units for it. */

/** Whether a text has fewer code points. */
export function isShorter(text: string, than: number): boolean {
  return text.length < than || (text.length < 2 * than && codePoints(text) < than);
}

/** Whether a text has more code points. Call it only for a text with more UTF-16 units. */
export function isLonger(text: string, than: number): boolean {
  return text.length > 2 * than || codePoints(text) > than;
}

/** The total length of some properties, in code points. Counts texts, and the texts in arrays. */
export function combinedLength(value: unknown, fields: readonly string[]): number {
  if (!isObject(value)) return 0;
  return fields.reduce((sum, field) => sum + textLength(ownField(value, field)), 0);
}

/** The length of a text, or of all texts in an array, in code points. */
export function textLength(value: unknown): number {
  if (typeof value === "string") return codePoints(value);
  return isArray(value) ? value.reduce<number>((sum, each) => sum + textLength(each), 0) : 0;
}

/** The length of a value as compact JSON, in code points. */
export function serializedLength(value: unknown): number {
  return codePoints(JSON.stringify(value) ?? "");
}

/** The length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Creates the check of a body of bytes. The error response is a 413.
 *
 * @param max the greatest size in bytes
 */
export function maxBytes(max: number): Check {
  return (value, issues) => {
    if (value instanceof Uint8Array && value.length > max) addIssue(issues, "size", max);
  };
}

function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    count -= 1;
    index += 1;
  }
  return count;
}
