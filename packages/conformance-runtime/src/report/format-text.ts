import type { QuickSummary } from "../results.js";

/** `1 case`, `2 cases`. */
export function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Escapes control characters, since a server's response could control the terminal. Keeps line breaks. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(controlCharacters, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same, on one line. */
export function escapeToOneLine(text: string): string {
  return escapeControlCharacters(text).replaceAll("\n", "\\n");
}

/** Truncates a long text and appends its length. */
export function truncateText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${pluralize(text.length, "character")})`;
}

/** `840 ms`, `12.3 s`, `2 min 5 s`, `3 h 10 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole >= 3600) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** What a quick run executed, and what it left out. */
export function formatQuickSummary({ seconds, cases, requirements }: QuickSummary): string {
  const untested = requirements.all - requirements.chosen;
  const chosen = `${cases.chosen.toLocaleString("en-US")} of ${pluralize(cases.all, "case")}`;
  const start = `Quick run of at most about ${seconds} s`;
  if (requirements.all === 0) return `${start}: ${chosen}.`;
  const tested = `${requirements.chosen.toLocaleString("en-US")} of ${pluralize(requirements.all, "requirement")}`;
  const rest =
    untested === 0
      ? "Each requirement has fewer cases than in a complete run"
      : `It left out ${pluralize(untested, "requirement")}, which the reports list as not selected`;
  return `${start}: ${tested}, ${chosen}. ${rest}.`;
}

/** Groups items by key, in the order of the first item of each group. */
export function groupByKey<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

const controlCharacters =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
