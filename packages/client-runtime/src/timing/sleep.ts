import { onAbort } from "./signals.js";

/** The longest delay of a timer, in milliseconds. A longer one would end at once. */
export const maxTimerMs: number = 2 ** 31 - 1;

/**
 * Waits, at most 24 days. Rejects with the reason of the signal when it aborts.
 *
 * @param milliseconds how long
 */
export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    let leave = (): void => {};
    const timer = setTimeout(
      () => {
        leave();
        resolve();
      },
      Math.min(milliseconds, maxTimerMs),
    );
    const abort = (): void => {
      leave();
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) abort();
    else if (signal) leave = onAbort(signal, abort);
  });
}
