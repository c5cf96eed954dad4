import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql } from "./database.js";
import { StoreUnavailableError } from "./store.js";

/** The connection for writes. */
export interface WriteConnection {
  readonly sql: Sql;
  /** Whether a transaction is open. The database ends one by itself if it cannot be written. */
  readonly isWriting: () => boolean;
  /** Writes pending data before a transaction ends. */
  readonly ending: () => Promise<void>;
  /** Called when a transaction has ended, before its callers continue. `isKept` states whether it was committed. */
  readonly ended: (isKept: boolean) => void;
}

interface QueuedWrite {
  /** Runs a function in the asynchronous context of the caller, so that an observer sees whose statements these are. */
  readonly inContext: <T>(run: () => T) => T;
  readonly run: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs writes one after the other. Writes that arrive together share a transaction, since waiting for the disk takes longest. No caller continues
 * before the commit. A write that throws has no effect, and the others stay.
 */
export class WriteQueue {
  readonly #writer: WriteConnection;
  readonly #waiting: QueuedWrite[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(writer: WriteConnection) {
    this.#writer = writer;
  }

  write<T>(run: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The value is the result of its own `run`.
      this.#waiting.push({
        inContext: AsyncLocalStorage.snapshot(),
        run,
        resolve: resolve as QueuedWrite["resolve"],
        reject,
      });
      // Until then, all writes that arrived with it are in the queue.
      if (this.#waiting.length === 1) setImmediate(() => void this.between(() => this.#runWaiting()));
    });
  }

  /** Runs a function while no transaction is open. */
  between<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(run, run);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Runs a function after all writes in the queue. */
  async after<T>(run: () => Promise<T>): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.between(run);
  }

  async #runWaiting(): Promise<void> {
    for (let first = this.#waiting.shift(); first !== undefined; first = this.#waiting.shift())
      await first.inContext(() => this.#runTogether(first));
  }

  async #runTogether(first: QueuedWrite): Promise<void> {
    const [begun, ends] = [[first], [] as (() => void)[]];
    try {
      await this.#execute("begin");
      for (
        let one: QueuedWrite | undefined = first;
        one !== undefined;
        one = ends.length < maxWritesTogether ? this.#waiting.shift() : undefined
      ) {
        if (one !== first) begun.push(one);
        ends.push(await this.#runOne(one));
      }
      await this.#writer.ending();
      await this.#execute("commit");
      this.#writer.ended(true);
      for (const end of ends) end();
    } catch (error) {
      if (this.#writer.isWriting()) await this.#execute("rollback");
      this.#writer.ended(false);
      for (const { reject } of begun) reject(error);
    }
  }

  /**
   * Returns a function that reports the outcome.
   *
   * @throws when the transaction is lost, with all other writes in it
   */
  async #runOne({ inContext, run, resolve, reject }: QueuedWrite): Promise<() => void> {
    await this.#execute("savepoint one");
    const end = await inContext(run).then(
      (result) => () => resolve(result),
      async (error: unknown) => {
        if (!this.#writer.isWriting()) {
          reject(error);
          throw new StoreUnavailableError("the store cannot be used now", { cause: error });
        }
        await this.#execute("rollback to one");
        return () => reject(error);
      },
    );
    await this.#execute("release one");
    return end;
  }

  #execute(text: string): Promise<unknown> {
    return this.#writer.sql.run(text, []);
  }
}

/** So that the first write does not wait for too many others. */
const maxWritesTogether = 16;
