import { isList, isObject, ownField } from "./values.js";

/** How long values are. JSON Schema counts code points: a character beyond 16 bits is one, though JavaScript has it as two units. */

/** True for fewer code points than that. */
export function isShorter(text: string, than: number): boolean {
  return text.length < than || (text.length < 2 * than && codePoints(text) < than);
}

/** True for more code points than that, of a text with more units than that. */
export function isLonger(text: string, than: number): boolean {
  return text.length > 2 * than || codePoints(text) > than;
}

/** The length of these fields together: code points of texts, and of what an array of texts holds. */
export function combinedLength(value: unknown, fields: readonly string[]): number {
  if (!isObject(value)) return 0;
  return fields.reduce((sum, field) => sum + textLength(ownField(value, field)), 0);
}

/** The length of a text, or of all texts in an array, in code points. */
export function textLength(value: unknown): number {
  if (typeof value === "string") return codePoints(value);
  return isList(value) ? value.reduce<number>((sum, each) => sum + textLength(each), 0) : 0;
}

/** The length of a value as compact JSON. */
export function serializedLength(value: unknown): number {
  return codePoints(JSON.stringify(value) ?? "");
}

/** Bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
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
