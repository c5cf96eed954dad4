import { StoreUnavailableError } from "./store.js";

/** Runs tasks with the same key one after the other, in the order of their arrival. */
export type Queues = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/**
 * Queues in the memory of this process. A waiting task needs no connection to wait for a lock of the database. One that waits for too long fails
 * with StoreUnavailableError, and does not run.
 */
export function queues(): Queues {
  const ends = new Map<string, Promise<void>>();
  return (key, run) => {
    const before = ends.get(key);
    const result = (before === undefined ? Promise.resolve() : inTime(before)).then(run);
    const end: Promise<void> = Promise.allSettled([before, result]).then(() => {
      if (ends.get(key) === end) ends.delete(key);
    });
    ends.set(key, end);
    return result;
  };
}

function inTime(turn: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StoreUnavailableError("others use the account for too long")), maxWaitMs);
    void turn.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Milliseconds for which a request waits for its turn, or for a lock. */
export const maxWaitMs = 10_000;
