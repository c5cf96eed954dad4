/** What two lists have in common by a key, and what each has alone. */
export interface Matched<T> {
  readonly both: readonly (readonly [old: T, next: T])[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** Matches by a key; of several with the same key the first with the first, and so on. */
export function matched<T>(old: readonly T[], next: readonly T[], keyOf: (each: T) => string): Matched<T> {
  const waiting = new Map<string, T[]>();
  for (const each of old) {
    const alike = waiting.get(keyOf(each));
    if (alike === undefined) waiting.set(keyOf(each), [each]);
    else alike.push(each);
  }
  const both: [T, T][] = [];
  const added: T[] = [];
  for (const each of next) {
    const before = waiting.get(keyOf(each))?.shift();
    if (before === undefined) added.push(each);
    else both.push([before, each]);
  }
  const removed = new Set([...waiting.values()].flat());
  return { both, removed: old.filter((each) => removed.has(each)), added };
}

/** What a list of texts has won and lost; order does not count. */
export function won(
  old: readonly string[],
  next: readonly string[],
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  return { added: next.filter((each) => !old.includes(each)), removed: old.filter((each) => !next.includes(each)) };
}
