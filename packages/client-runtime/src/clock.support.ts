import { onTestFinished, vi } from "vitest";

/** Stops the clock until the test ends: `Date`, `performance` and timers. Connections are real. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Advances the stopped clock from timer to timer until a promise settles, and returns its result. */
export async function flushMicrotasks<T>(pending: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  pending.then(end, end);
  // More than any test needs.
  for (let timers = 0; timers < 1000 && !state.isOver; timers++) await vi.advanceTimersToNextTimerAsync();
  if (!state.isOver) throw new Error("it does not settle");
  return pending;
}

/** Waits while connections go on and the clock stands still. `expect.poll` and `vi.waitUntil` would advance it. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

/** Advances the stopped clock by milliseconds. */
export async function advanceClock(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}
