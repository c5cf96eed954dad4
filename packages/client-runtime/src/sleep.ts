// A longer delay than 2^31 - 1 ms would end at once.
const longest = 2 ** 31 - 1;

/** Waits so many milliseconds, 24 days at most; throws the reason of a signal as soon as that is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
      Math.min(milliseconds, longest),
    );
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  });
}
