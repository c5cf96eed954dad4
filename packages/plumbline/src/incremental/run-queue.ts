/** A queue of one: requests during a run are merged into one run after it. */
export interface RunQueue {
  readonly enqueue: () => void;
  /** Resolves after all runs that have been requested so far. */
  readonly idle: () => Promise<void>;
}

/** Creates a queue. `take` must not reject. */
export function createRunQueue(take: () => Promise<void>): RunQueue {
  let last: Promise<void> = Promise.resolve();
  let isWanted = false;
  return {
    enqueue: () => {
      if (isWanted) return;
      isWanted = true;
      last = last.then(() => {
        isWanted = false;
        return take();
      });
    },
    idle: () => last,
  };
}
