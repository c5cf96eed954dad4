import type { RateLimitHit, RateLimitStore, RateLimitResult } from "./limits.js";
import { SlidingWindow } from "./sliding-window.js";

/** Counts rates in the memory of this process. */
export interface MemoryStore extends RateLimitStore {
  consume(hit: RateLimitHit): RateLimitResult;
  undo(hit: Pick<RateLimitHit, "key" | "now">): void;
  reset(key: string): void;
  /** Number of keys in memory: about as many as had hits within their windows. */
  readonly size: number;
}

/**
 * Creates a store that counts rates exactly, in a sliding window of `windowSeconds`.
 * Use it for a single process; several processes that serve one API need a shared store.
 */
export function createMemoryStore(): MemoryStore {
  const keys = new Map<string, SlidingWindow>();
  let sweep = keys.entries();

  /** Removes one key if its window has passed. Continues after the last checked key, and restarts at the end. */
  function forgetOne(now: number): void {
    const { done, value } = sweep.next();
    if (done) sweep = keys.entries();
    else if (value[1].isOver(now)) keys.delete(value[0]);
  }

  return {
    get size() {
      return keys.size;
    },
    consume({ key, max, windowSeconds, now }) {
      // A hit adds one key at most. Checking two keys a hit visits all of them, without a timer.
      forgetOne(now);
      forgetOne(now);
      const times = keys.get(key) ?? new SlidingWindow(windowSeconds * 1000);
      keys.set(key, times);
      return times.hit(max, now);
    },
    undo: ({ key, now }) => keys.get(key)?.undo(now),
    reset: (key) => void keys.delete(key),
  };
}
