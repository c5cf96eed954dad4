import { onAbort } from "./signals.js";

/** The longest delay of a timer, in milliseconds: a longer one would end at once. */
export const longest: number = 2 ** 31 - 1;

/** Waits so many milliseconds, 24 days at most; throws the reason of a signal as soon as that is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    let leave = (): void => {};
    const timer = setTimeout(
      () => {
        leave();
        resolve();
      },
      Math.min(milliseconds, longest),
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
