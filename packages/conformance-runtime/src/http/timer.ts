import { setTimeout } from "node:timers/promises";

/** A monotonic clock with a wait function. */
export interface Timer {
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
  /** Resolves after this many milliseconds, or when the signal aborts. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => undefined),
};
