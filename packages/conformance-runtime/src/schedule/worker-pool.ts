import type { Worker } from "../run/worker.js";

/** Lends workers to cases. A case that must run alone waits for the others, and later ones wait for it. */
export interface WorkerPool {
  use<Result>(act: (worker: Worker) => Promise<Result>, isExclusive: boolean): Promise<Result>;
  /** All workers that it has opened. */
  workers(): readonly Worker[];
}

export interface WorkerPoolOptions {
  readonly maxWorkers: number;
  /** Opens the worker with this index. */
  readonly open: (index: number) => Promise<Worker>;
}

/** Creates a pool that opens workers when cases need them. */
export function createWorkerPool({ maxWorkers, open }: WorkerPoolOptions): WorkerPool {
  const opened: Worker[] = [];
  const idle: Worker[] = [];
  const waiting: { readonly isExclusive: boolean; readonly start: () => void }[] = [];
  let running = 0;
  let isLocked = false;
  let opens = 0;

  return {
    async use(act, isExclusive) {
      await new Promise<void>((start) => {
        waiting.push({ isExclusive, start });
        startNext();
      });
      try {
        const worker = idle.pop() ?? (await openWorker());
        try {
          return await act(worker);
        } finally {
          idle.push(worker);
        }
      } finally {
        running--;
        if (isExclusive) isLocked = false;
        startNext();
      }
    },
    workers: () => opened,
  };

  /** In the order of their requests, so that no case waits forever. */
  function startNext(): void {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (isLocked || running >= (next.isExclusive ? 1 : maxWorkers)) return;
      waiting.shift();
      running++;
      isLocked = next.isExclusive;
      next.start();
    }
  }

  async function openWorker(): Promise<Worker> {
    const worker = await open(opens++);
    opened.push(worker);
    return worker;
  }
}
