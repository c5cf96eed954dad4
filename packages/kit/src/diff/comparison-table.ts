import type { ComparisonContext } from "./description-comparison.js";

/**
 * How each property of a model node is compared. The table is total: a new property does not compile until it has an entry. A text gives
 * the reason for not comparing it. A function that serves several properties is called once.
 */
export type ComparisonTable<T> = {
  readonly [Key in keyof Required<T>]: ((old: T, next: T, at: ComparisonContext) => void) | string;
};

/** The entries for positions and sources, which every node of the model has. */
export const sourceRows = {
  sources: "sources do not belong to the API",
  origin: "positions do not belong to the API",
} as const;

/** Calls the functions of all properties whose values are not identical. */
export function compareByTable<T extends object>(
  table: ComparisonTable<T>,
  old: T,
  next: T,
  at: ComparisonContext,
): void {
  const comparisons = new Set<(old: T, next: T, at: ComparisonContext) => void>();
  for (const key of keysOf(old)) ask(key);
  for (const key of keysOf(next)) if (!Object.hasOwn(old, key)) ask(key);
  for (const compare of comparisons) compare(old, next, at);

  function ask(key: keyof T): void {
    const answer = table[key];
    if (typeof answer === "function" && old[key] !== next[key]) comparisons.add(answer);
  }
}

function keysOf<T extends object>(value: T): readonly (keyof T)[] {
  return Object.keys(value) as (keyof T)[];
}
