import type { Hit, LimitStore, Tally } from "./limits.js";
import { HitTimes } from "./hit-times.js";

/** Counts in the memory of this process. */
export interface MemoryStore extends LimitStore {
  hit(hit: Hit): Tally;
  undo(hit: Pick<Hit, "key" | "now">): void;
  forget(key: string): void;
  /** How many keys are remembered: about as many as were hit within their windows. */
  readonly size: number;
}

/**
 * Counts rates exactly, in a window that moves along with time: a hit that is `windowSeconds` old has left it. For one process: several that serve
 * one API need a store that they share.
 */
export function memoryStore(): MemoryStore {
  const keys = new Map<string, HitTimes>();
  let sweep = keys.entries();

  /** Forgets a key whose window has passed. Goes on where it stopped before, and begins again at the end. */
  function forgetOne(now: number): void {
    const { done, value } = sweep.next();
    if (done) sweep = keys.entries();
    else if (value[1].isOver(now)) keys.delete(value[0]);
  }

  return {
    get size() {
      return keys.size;
    },
    hit({ key, max, windowSeconds, now }) {
      // A hit adds one key at most: looking at two gets around, so that no timer has to forget for those that never come back.
      forgetOne(now);
      forgetOne(now);
      const times = keys.get(key) ?? new HitTimes(windowSeconds * 1000);
      keys.set(key, times);
      return times.hit(max, now);
    },
    undo: ({ key, now }) => keys.get(key)?.undo(now),
    forget: (key) => void keys.delete(key),
  };
}
