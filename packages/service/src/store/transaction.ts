import { Collection } from "./collection.js";
import type { Sql } from "./database.js";
import { tables, type Sequence, type TableName } from "./tables.js";
import type { TransactionContext } from "./transaction-context.js";

type Collections = { readonly [Name in TableName]: Collection<Name> };

/** The collections of one transaction, and its time. */
export type Transaction = Collections & Pick<TransactionContext, "now" | "nextId">;

/** Reads the rows of all accounts. */
export type Survey = Transaction & Pick<TransactionContext, "database">;

class Accessors implements TransactionContext {
  readonly now: number;
  readonly account: TransactionContext["account"];
  readonly database: Sql;
  readonly nextId: (name: Sequence) => Promise<number>;
  readonly counts: TransactionContext["counts"];
  readonly onWrite: (name: TableName) => void;
  readonly remember: TransactionContext["remember"];

  constructor({ now, account, database, nextId, counts, onWrite, remember }: TransactionContext) {
    this.now = now;
    this.account = account;
    this.database = database;
    this.nextId = nextId;
    this.counts = counts;
    this.onWrite = onWrite;
    this.remember = remember;
  }
}

for (const name of Object.keys(tables) as TableName[]) {
  Object.defineProperty(Accessors.prototype, name, {
    get(this: Accessors) {
      return new Collection(this, name);
    },
  });
}

/** Adds the accessors above to the context. */
export function createTransaction(moment: TransactionContext): Survey {
  return new Accessors(moment) as unknown as Survey;
}

/** A time in the format of the API: ISO 8601 in UTC, to the second. */
export function formatDate(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
