import { isPromiseLike, type Awaitable } from "../handlers.js";

/** Runs functions with the same key one after the other. */
export type RunExclusive = <T>(key: string, run: () => Awaitable<T>) => Awaitable<T>;

/** Creates a queue for each key. Without a transaction, requests that depend on shared state run in it. */
export function createKeyedMutex(): RunExclusive {
  const last = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const before = last.get(key);
    const next = before === undefined ? run() : before.then(run);
    if (!isPromiseLike(next)) return next;
    const over = (): void => {
      if (last.get(key) === settled) last.delete(key);
    };
    const settled: Promise<unknown> = next.then(over, over);
    last.set(key, settled);
    return next;
  };
}
