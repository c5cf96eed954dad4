/** Random choices that a seed repeats. */
export interface Random {
  /** Returns an integer from 0 up to, but not including, `count`. */
  readonly below: (count: number) => number;
  readonly one: <T>(of: readonly T[]) => T;
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b9);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    one: (of) => {
      const chosen = of[below(of.length)];
      if (chosen === undefined) throw new RangeError("An empty list has no choice.");
      return chosen;
    },
  };
}
