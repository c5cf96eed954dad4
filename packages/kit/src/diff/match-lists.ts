import { isDeepEqual } from "./deep-equal.js";

/** The items that two lists have in common by a key, and those of only one list. */
export interface MatchedLists<T> {
  readonly both: readonly (readonly [old: T, next: T])[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** Matches two lists by a key. Several items of one key match first by equal content, then in order. */
export function matchLists<T>(old: readonly T[], next: readonly T[], keyOf: (each: T) => string): MatchedLists<T> {
  const [waiting, coming] = [groupByKey(old, keyOf), groupByKey(next, keyOf)];
  const partners = new Map<T, T>();
  for (const [key, alike] of coming) {
    const before = waiting.get(key) ?? [];
    const isClear = alike.length === 1 && before.length === 1;
    const rest = isClear ? alike : alike.filter((each) => !take(before, each, (other) => isDeepEqual(other, each)));
    for (const each of rest) take(before, each, () => true);
  }
  const unmatched = new Set([...waiting.values()].flat());
  return {
    both: next.flatMap((each) => {
      const before = partners.get(each);
      return before === undefined ? [] : [[before, each] as const];
    }),
    removed: old.filter((each) => unmatched.has(each)),
    added: next.filter((each) => !partners.has(each)),
  };

  function take(from: T[], each: T, fits: (other: T) => boolean): boolean {
    const index = from.findIndex(fits);
    const [match] = index < 0 ? [] : from.splice(index, 1);
    if (match !== undefined) partners.set(each, match);
    return match !== undefined;
  }
}

/** Maps removed items to added ones with the same content, where exactly one pair fits. */
export function matchRenamed<T>(
  { removed, added }: Pick<MatchedLists<T>, "removed" | "added">,
  isAlike: (old: T, next: T) => boolean,
): ReadonlyMap<T, T> {
  const pairs = removed.flatMap((old) => {
    const [next, ...others] = added.filter((each) => isAlike(old, each));
    const isOnly = next !== undefined && removed.filter((each) => isAlike(each, next)).length === 1;
    return isOnly && others.length === 0 ? [[old, next] as const] : [];
  });
  return new Map(pairs);
}

function groupByKey<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const alike = groups.get(keyOf(each));
    if (alike === undefined) groups.set(keyOf(each), [each]);
    else alike.push(each);
  }
  return groups;
}

/** The texts that a list gained and lost; their order is ignored. */
export function compareNames(
  old: readonly string[],
  next: readonly string[],
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  return { added: next.filter((each) => !old.includes(each)), removed: old.filter((each) => !next.includes(each)) };
}
