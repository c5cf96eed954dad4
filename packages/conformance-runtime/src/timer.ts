import { setTimeout } from "node:timers/promises";

/** A clock that never goes back, and waiting by it. */
export interface Timer {
  /** Milliseconds since some moment. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => undefined),
};
