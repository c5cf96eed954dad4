import { UnavailableError, type RateLimitStore } from "@plumbline/server-runtime";
import type { Sql } from "./database.js";
import type { CacheQuery } from "./read-cache.js";
import type { Survey, Transaction } from "./transaction.js";

/** The database of the service. */
export interface Store {
  /** Reads outside a transaction see committed writes. */
  read<T>(scope: Scope, run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Reads rows of all accounts: to find accounts with due jobs, for the test controls, and for restored rates. */
  survey<T>(now: number, run: (tx: Survey) => Promise<T>): Promise<T>;
  /** Reads, or returns a cached result at once, if its tables were not written since. */
  remember<T>(sought: CacheQuery, find: () => Promise<T>): T | Promise<T>;
  /**
   * Runs a transaction. When this resolves, its writes are on disk. When it throws, it leaves nothing. Writes of one account run one after the
   * other, on all replicas, so counts and look-ups stay valid until the end: its row is locked, and a transaction that adds that row waits for others that
   * do. `run` may be called again after a conflict.
   */
  write<T>(scope: Scope, run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** As `write`, unless another write of the account is running: then it returns undefined at once. */
  writeUnlessBusy<T>(scope: Scope, run: (tx: Transaction) => Promise<T>): Promise<T | undefined>;
  /** Empties the store while no write is running. `fill` runs in the same transaction. */
  reset(scope: Scope, fill: (tx: Transaction) => Promise<void>): Promise<void>;
  /** Runs one transaction of any length, which no write waits for: an import into a store without rows. */
  fill<T>(run: (filling: Filling) => Promise<T>): Promise<T>;
  /** The store for rate limits, for all replicas. */
  readonly rates: RateLimitStore;
  /** Whether rates are in memory only, so that the next start counts them again from stored rows. */
  readonly forgetsRates: boolean;
  /** Called when another replica changed the clock or added a job. */
  onNotice(listener: () => void): void;
  /** Notifies the other replicas. */
  notice(): Promise<void>;
  /** The connections of the pool, if there is one. */
  connections?(): ConnectionCounts;
  close(): Promise<void>;
}

/** A transaction that reaches the rows of all accounts. */
export interface Filling {
  readonly database: Sql;
  /** Sets the next number of a sequence. */
  readonly setNext: (sequence: string, next: number) => Promise<unknown>;
}

/** Connections that are open and idle, and statements that wait for one. */
export type ConnectionCounts = Readonly<Record<"open" | "idle" | "waiting", number>>;

export interface Scope {
  /** Null: the transaction only reaches rows of the platform, and directories. */
  readonly account: string | null;
  /** Milliseconds since 1970, by the service's clock. */
  readonly now: number;
}

/** The database is not available: the disk is full, or the server is not reachable. The query had no effect. The server responds with 503. */
export class StoreUnavailableError extends UnavailableError {
  override readonly name = "StoreUnavailableError";
}
