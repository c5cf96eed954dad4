/** One signal for all of these; none where there is none. */
export function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((each) => each !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

const waiting = new WeakMap<EventTarget, Set<() => void>>();

/**
 * Runs this when a signal is aborted, until what is given back is called. However many wait, the signal has one
 * listener: Node 20 warns of more than ten.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const runs = waiting.get(signal) ?? new Set();
  waiting.set(signal, runs.add(run));
  // The same function, and so the same listener, each time.
  signal.addEventListener("abort", tell);
  return () => {
    runs.delete(run);
    if (!runs.size) signal.removeEventListener("abort", tell);
  };
}

function tell(this: AbortSignal): void {
  for (const run of waiting.get(this) ?? []) run();
}
