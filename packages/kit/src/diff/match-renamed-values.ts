import { matchRenamed } from "./match-lists.js";

/**
 * Maps removed values of a list to added ones that are spelled alike, where exactly one pair fits: other case or separators, other spelling by
 * one letter, or words more or less. Values that negate each other, or have other numbers, are not alike.
 */
export function matchRenamedValues(values: {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}): ReadonlyMap<string, string> {
  return matchRenamed(values, isSpelledAlike);
}

function isSpelledAlike(old: string, next: string): boolean {
  const [before, after] = [wordsOf(old), wordsOf(next)];
  if (before.length === 0 || after.length === 0 || digitsOf(old) !== digitsOf(next)) return false;
  if (before.join("") === after.join("")) return true;
  const [shorter, longer] = before.length < after.length ? [before, after] : [after, before];
  const others = longer.filter((word) => !shorter.includes(word));
  if (shorter.length < longer.length)
    return longer.length - others.length === shorter.length && !others.some((word) => negations.has(word));
  return before.every((word, index) => isSameWord(word, after[index] ?? ""));
}

const negations: ReadonlySet<string> = new Set(["not", "non", "no", "un", "never", "without", "dis", "in", "de"]);

/** The least number of letters in words that may differ by one of them: shorter ones are others. */
const minLength = 5;

/** Whether two words are equal, or differ by one letter after the second: `cancelled` and `canceled`, not `upload` and `unload`. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  if (shorter.length < minLength || longer.length - shorter.length > 1) return false;
  let start = 0;
  while (start < shorter.length && shorter[start] === longer[start]) start++;
  const skipped = longer.length === shorter.length ? 1 : 0;
  return start > 1 && shorter.slice(start + skipped) === longer.slice(start + 1);
}

function wordsOf(value: string): readonly string[] {
  const words = value.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function digitsOf(value: string): string {
  return (value.match(/\d+/g) ?? []).join(" ");
}
