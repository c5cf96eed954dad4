import { UnavailableError, type LimitStore } from "@plumbline/server-runtime";
import type { Sought } from "./remembered.js";
import type { Tx } from "./tx.js";

/** Where everything is kept. */
export interface Store {
  /** What is read outside a transaction sees whatever has been committed. */
  read<T>(now: number, run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Reads, or gives at once what was read before, unless one of the tables was written since. */
  remember<T>(sought: Sought & { readonly now: number }, find: (tx: Tx) => Promise<T>): T | Promise<T>;
  /**
   * Runs what it is given in a transaction that is on disk when this resolves, or, when it throws, leaves nothing. Writes of one account happen one after
   * the other, on all replicas; so what is counted or looked for in one is as it was until it ends. May run it again when the database says so.
   */
  write<T>(scope: Scope, run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Empties everything; no write is under way meanwhile. `fill` is run in the same transaction. */
  reset(now: number, fill: (tx: Tx) => Promise<void>): Promise<void>;
  /** Where rates are counted, for all replicas. */
  readonly rates: LimitStore;
  /** Whether rates are forgotten when the process ends, and counted again from what is stored when the next one starts. */
  readonly forgetsRates: boolean;
  /** Is told when another replica wrote something that concerns all: the clock, or a job. */
  onNotice(listener: () => void): void;
  /** Tells the other replicas. */
  notice(): Promise<void>;
  close(): Promise<void>;
}

export interface Scope {
  readonly account: string;
  /** Milliseconds since 1970, by the service's clock. */
  readonly now: number;
}

/** The database cannot be asked now: the disk is full, or it is not reachable. What was asked has not been done. The server responds with 503. */
export class Unavailable extends UnavailableError {
  override readonly name = "Unavailable";
}
