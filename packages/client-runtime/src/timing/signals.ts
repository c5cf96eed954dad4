/** Combines signals. Undefined if there are none. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((each) => each !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

const listenersBySignal = new WeakMap<EventTarget, Set<() => void>>();

/**
 * Runs a function when a signal aborts. Returns a function that removes it.
 * However many wait, the signal has one listener: Node 20 warns about more than ten.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const runs = listenersBySignal.get(signal) ?? new Set();
  listenersBySignal.set(signal, runs.add(run));
  // The same function each time, and so a single listener.
  signal.addEventListener("abort", runListeners);
  return () => {
    runs.delete(run);
    if (!runs.size) signal.removeEventListener("abort", runListeners);
  };
}

function runListeners(this: AbortSignal): void {
  listenersBySignal.get(this)?.forEach((run) => run());
}
