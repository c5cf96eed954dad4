import { UnavailableError, type RateLimitStore } from "@plumbline/server-runtime";
import type { CacheQuery } from "./read-cache.js";
import type { Transaction } from "./transaction.js";

/** The database of the service. */
export interface Store {
  /** Reads outside a transaction see committed writes. */
  read<T>(now: number, run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Reads, or returns a cached result at once, if its tables were not written since. */
  remember<T>(sought: CacheQuery & { readonly now: number }, find: (tx: Transaction) => Promise<T>): T | Promise<T>;
  /**
   * Runs a transaction. When this resolves, its writes are on disk. When it throws, it leaves nothing. Writes of one account run one after the
   * other, on all replicas, so counts and look-ups stay valid until the end. `run` may be called again after a conflict.
   */
  write<T>(scope: Scope, run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** As `write`, unless another write of the account is running: then it returns undefined at once. */
  writeUnlessBusy<T>(scope: Scope, run: (tx: Transaction) => Promise<T>): Promise<T | undefined>;
  /** Empties the store while no write is running. `fill` runs in the same transaction. */
  reset(now: number, fill: (tx: Transaction) => Promise<void>): Promise<void>;
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

/** Connections that are open and idle, and statements that wait for one. */
export type ConnectionCounts = Readonly<Record<"open" | "idle" | "waiting", number>>;

export interface Scope {
  readonly account: string;
  /** Milliseconds since 1970, by the service's clock. */
  readonly now: number;
}

/** The database is not available: the disk is full, or the server is not reachable. The query had no effect. The server responds with 503. */
export class StoreUnavailableError extends UnavailableError {
  override readonly name = "StoreUnavailableError";
}
