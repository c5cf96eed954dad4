import type { Sql } from "./database.js";
import { Unavailable } from "./store.js";

/** The connection that writes. */
export interface Writer {
  readonly sql: Sql;
  /** Whether a transaction is under way. The database ends one by itself when it cannot be written. */
  readonly isWriting: () => boolean;
  /** Writes what is left to write before a transaction ends. */
  readonly ending: () => Promise<void>;
  /** Is told when a transaction has ended, and whether it is kept, before those are who wrote in it. */
  readonly ended: (isKept: boolean) => void;
}

interface Waiting {
  readonly run: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs writes one after the other, and those that came at the same time in one transaction, since what takes long is to wait for the disk. Nobody is
 * told anything before that is over; what throws leaves nothing, and the others stay.
 */
export class Writes {
  readonly #writer: Writer;
  readonly #waiting: Waiting[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  write<T>(run: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // What it is resolved with is what its own `run` gave.
      this.#waiting.push({ run, resolve: resolve as Waiting["resolve"], reject });
      // Until then whatever has arrived with it is waiting, too.
      if (this.#waiting.length === 1) setImmediate(() => void this.between(() => this.#runWaiting()));
    });
  }

  /** Runs something while no transaction is under way. */
  between<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run, run);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Runs something after all that waits now. */
  async after<T>(run: () => Promise<T>): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.between(run);
  }

  async #runWaiting(): Promise<void> {
    for (let first = this.#waiting.shift(); first !== undefined; first = this.#waiting.shift())
      await this.#runTogether(first);
  }

  async #runTogether(first: Waiting): Promise<void> {
    const [begun, ends] = [[first], [] as (() => void)[]];
    try {
      await this.#execute("begin");
      for (
        let one: Waiting | undefined = first;
        one !== undefined;
        one = ends.length < most ? this.#waiting.shift() : undefined
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

  /** Gives what tells how it ended. Throws when the transaction is lost, with whatever else was written in it. */
  async #runOne({ run, resolve, reject }: Waiting): Promise<() => void> {
    await this.#execute("savepoint one");
    const end = await run().then(
      (result) => () => resolve(result),
      async (error: unknown) => {
        if (!this.#writer.isWriting()) {
          reject(error);
          throw new Unavailable("the store cannot be used now", { cause: error });
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

/** So that the first does not wait for too many others. */
const most = 16;
