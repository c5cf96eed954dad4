import { isRecord } from "../json.js";

/** A value that fits a limit, and what was left out. */
export interface ShortenedValue {
  readonly value: unknown;
  readonly notes: readonly string[];
}

/**
 * Shortens a JSON value until its text fits a limit. It cuts the largest lists first, then the longest texts, and keeps the structure.
 *
 * @param maxBytes Maximum size of the JSON text in UTF-8.
 */
export function shortenValue(value: unknown, maxBytes: number): ShortenedValue {
  if (sizeOf(value) <= maxBytes) return { value, notes: [] };
  const notes: string[] = [];
  for (let maxText = 2000, rounds = 0; rounds < 12; rounds++, maxText = Math.max(20, Math.floor(maxText / 2))) {
    const budget = Math.max(1, Math.floor(maxBytes / 2 ** Math.max(0, rounds - 1)));
    notes.length = 0;
    const shortened = shortenPart(value, { budget, maxText, pointer: "", notes });
    if (sizeOf(shortened) <= maxBytes) return { value: shortened, notes };
  }
  return { value: isRecord(value) ? {} : [], notes: ["Everything was left out: the result is too large."] };
}

interface Shortening {
  /** Bytes that a list may have. */
  readonly budget: number;
  /** Characters that a text may have. */
  readonly maxText: number;
  readonly pointer: string;
  readonly notes: string[];
}

function shortenPart(value: unknown, shortening: Shortening): unknown {
  const { budget, maxText, pointer, notes } = shortening;
  if (typeof value === "string" && value.length > maxText) {
    notes.push(`\`${pointer}\` has ${value.length} characters; the first ${maxText} are shown.`);
    return `${value.slice(0, maxText)}…`;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const count = leadingItems(items, budget);
    if (count < items.length)
      notes.push(`\`${pointer || "the list"}\` has ${items.length} items; the first ${count} are shown.`);
    return items
      .slice(0, count)
      .map((each, index) => shortenPart(each, { ...shortening, pointer: `${pointer}[${index}]` }));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      shortenPart(each, { ...shortening, pointer: pointer === "" ? key : `${pointer}.${key}` }),
    ]),
  );
}

/** How many of the first items fit the budget together. */
function leadingItems(items: readonly unknown[], budget: number): number {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += sizeOf(item) + 1;
    if (bytes > budget) return index;
  }
  return items.length;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
