import { Collection } from "./collection.js";
import type { Sql } from "./database.js";
import type { CacheQuery } from "./read-cache.js";
import { tables, type Sequence, type TableName } from "./tables.js";

/** The collections of one transaction, and its time. */
export type Transaction = { readonly [Name in TableName]: Collection<Name> } & TransactionContext;

export interface TransactionContext {
  /** Milliseconds since 1970, by the service's clock: the start of the request, or the time at which the job was due. */
  readonly now: number;
  readonly database: Sql;
  /** The next number of a sequence. Numbers are never reused. */
  readonly nextId: (name: Sequence) => Promise<number>;
  /** Locks a name until this transaction ends, across all accounts. */
  readonly lock: (thing: string) => Promise<void>;
  /** Called for every table that is written. */
  readonly onWrite: (name: TableName) => void;
  /** Runs a query, or returns its cached result if none of its tables was written since. */
  readonly remember: <T>(sought: CacheQuery, find: () => Promise<T>) => T | Promise<T>;
}

class Collections implements TransactionContext {
  readonly now: number;
  readonly database: Sql;
  readonly nextId: (name: Sequence) => Promise<number>;
  readonly lock: (thing: string) => Promise<void>;
  readonly onWrite: (name: TableName) => void;
  readonly remember: TransactionContext["remember"];

  constructor({ now, database, nextId, lock, onWrite, remember }: TransactionContext) {
    this.now = now;
    this.database = database;
    this.nextId = nextId;
    this.lock = lock;
    this.onWrite = onWrite;
    this.remember = remember;
  }
}

for (const name of Object.keys(tables) as TableName[]) {
  Object.defineProperty(Collections.prototype, name, {
    get(this: Collections) {
      return new Collection(this, name);
    },
  });
}

/** `Tx` adds the accessors above to the context. */
export function createTransaction(moment: TransactionContext): Transaction {
  return new Collections(moment) as unknown as Transaction;
}

/** A time in the format of the API: ISO 8601 in UTC, to the second. */
export function formatDate(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
