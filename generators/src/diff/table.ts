import type { At } from "./comparison.js";

/**
 * How each property of a part of the model is compared: total, so that a new property does not compile until somebody has said what a
 * difference of it means. A text says why it is not compared. One function may answer for several properties, and is then called once.
 */
export type Table<T> = { readonly [Key in keyof Required<T>]: ((old: T, next: T, at: At) => void) | string };

/** Where something comes from, which every part of the model says. */
export const places = {
  sources: "what states it is no part of what is stated",
  origin: "where it stands is no part of what it says",
} as const;

/** Calls what answers for the properties that are not the very same. */
export function compareBy<T extends object>(table: Table<T>, old: T, next: T, at: At): void {
  const asked = new Set<(old: T, next: T, at: At) => void>();
  for (const key of keysOf(old)) ask(key);
  for (const key of keysOf(next)) if (!Object.hasOwn(old, key)) ask(key);
  for (const compare of asked) compare(old, next, at);

  function ask(key: keyof T): void {
    const answer = table[key];
    if (typeof answer === "function" && old[key] !== next[key]) asked.add(answer);
  }
}

function keysOf<T extends object>(value: T): readonly (keyof T)[] {
  return Object.keys(value) as (keyof T)[];
}
