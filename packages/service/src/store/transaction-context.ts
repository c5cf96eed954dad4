import type { CountChanges } from "./counts.js";
import type { Sql } from "./database.js";
import type { CacheQuery } from "./read-cache.js";
import type { Sequence, TableName } from "./tables.js";

export interface TransactionContext {
  /** Milliseconds since 1970, by the service's clock: the start of the request, or the time at which the job was due. */
  readonly now: number;
  /** Whose rows the transaction reaches, besides those of the platform. Null: no account's. */
  readonly account: string | null | typeof allAccounts;
  readonly database: Sql;
  /** The next number of a sequence. Numbers are never reused. */
  readonly nextId: (name: Sequence) => Promise<number>;
  /** The rows that come and go in this transaction. Undefined if it only reads. */
  readonly counts?: CountChanges | undefined;
  /** Called for every table that is written. */
  readonly onWrite: (name: TableName) => void;
  /** Runs a query, or returns its cached result if none of its tables was written since. */
  readonly remember: <T>(sought: CacheQuery, find: () => Promise<T>) => T | Promise<T>;
}

/** The reach of a survey, which only reads. */
export const allAccounts: unique symbol = Symbol("all accounts");
