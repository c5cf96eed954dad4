import { Collection } from "./collection.js";
import type { Sql } from "./database.js";
import { tables, type Sequence, type TableName } from "./tables.js";
import type { TransactionContext } from "./transaction-context.js";

/** The collections of one transaction, and its time. */
export type Transaction = { readonly [Name in TableName]: Collection<Name> } & TransactionContext;

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
