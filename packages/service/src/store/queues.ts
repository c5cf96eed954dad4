/** Runs tasks with the same key one after the other, in the order of their arrival. */
export type Queues = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Queues in the memory of this process. A waiting task needs no connection to wait for a lock of the database. */
export function queues(): Queues {
  const ends = new Map<string, Promise<void>>();
  return (key, run) => {
    const result = (ends.get(key) ?? Promise.resolve()).then(run);
    const ended = (): void => {
      if (ends.get(key) === end) ends.delete(key);
    };
    const end: Promise<void> = result.then(ended, ended);
    ends.set(key, end);
    return result;
  };
}
