import { withZone } from "./date-times.js";
import type { Expression } from "./expressions.js";

/** So many requests within any such time. */
export interface RateLimit {
  readonly kind: "rate";
  readonly id: string;
  readonly max: number;
  readonly windowSeconds: number;
  readonly error?: string;
}

/** So many at once, until each is settled. */
export interface ConcurrencyLimit {
  readonly kind: "concurrency";
  readonly id: string;
  readonly max: number;
  readonly error?: string;
}

/** No two with the same values. */
export interface UniqueLimit {
  readonly kind: "unique";
  readonly id: string;
  readonly resource: string;
  readonly by: readonly string[];
  readonly within: "parent" | "user" | "account" | "platform";
  readonly error?: string;
}

/** Kept for so long, or so many of them. */
export interface RetentionLimit {
  readonly kind: "retention";
  readonly id: string;
  readonly max?: number;
  readonly windowSeconds?: number;
  readonly within?: "parent" | "user" | "account" | "platform";
  /** The fields from which the time counts. */
  readonly by?: readonly string[];
}

/** So many bytes of a body that is streamed, sent within such a time of what announced them. */
export interface BytesLimit {
  readonly kind: "bytes";
  readonly id: string;
  readonly max: number;
  readonly windowSeconds?: number;
  readonly error?: string;
}

/** A rate of requests that end in certain ways: that fail with certain errors, or have certain effects. */
export interface OutcomeRate {
  readonly limit: RateLimit;
  readonly per?: Expression;
  /** Errors that count. At the bound, requests fail with that of the limit before they are handled. */
  readonly errors: readonly string[];
  /** Effects that count. At the bound, requests are handled, and those that have one of them fail and change nothing. */
  readonly effects: readonly string[];
  /** True where something follows when the bound is reached. */
  readonly isReached?: true;
}

/** A rate that counts anew after a request with certain effects. */
export interface RenewedRate {
  readonly limit: RateLimit;
  readonly per?: Expression;
  readonly effects: readonly string[];
}

/** What is asked before an operation. */
export interface OperationLimits {
  readonly rates?: readonly { readonly limit: RateLimit; readonly per?: Expression }[];
  readonly outcomes?: readonly OutcomeRate[];
  readonly renewed?: readonly RenewedRate[];
  readonly concurrency?: readonly { readonly limit: ConcurrencyLimit; readonly per?: Expression }[];
  readonly unique?: readonly UniqueLimit[];
  /** Bytes of a body that is streamed, and how long it may take to arrive. */
  readonly bytes?: { readonly max: number; readonly error?: string; readonly windowSeconds?: number };
}

/** One more of a limited kind. */
export interface Hit {
  /** The limit and whom it counts for: the same text for what counts together. */
  readonly key: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** Milliseconds since 1970, by the server's clock. */
  readonly now: number;
}

export interface Tally {
  readonly isAllowed: boolean;
  /** How many more would be allowed now. */
  readonly remaining: number;
  /** When the next one that is counted leaves the window, in milliseconds since 1970: a refused one passes then. */
  readonly resetAt: number;
}

/** Where rates are counted. */
export interface LimitStore {
  /**
   * Counts one when it is allowed; at once, so that of many together no more pass than may. What is refused does not count.
   *
   * @throws UnavailableError when rates cannot be counted now: the server responds with 503.
   */
  hit(hit: Hit): Tally | Promise<Tally>;
  /** Takes one back that was counted at this time. Needed where a limit counts requests by how they end. */
  undo?(hit: Pick<Hit, "key" | "now">): void | Promise<void>;
  /** Counts a key anew. Needed where a limit counts requests by how they end. */
  forget?(key: string): void | Promise<void>;
}

/** What headers tell of a rate. */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970, rounded up: by then one more is allowed. */
  readonly reset: number;
}

export function rateHeaders({ remaining, resetAt }: Tally, { max }: Pick<RateLimit, "max">): RateHeaders {
  return { limit: max, remaining, reset: Math.ceil(resetAt / 1000) };
}

/** Whole seconds, 1 at least, after which a refused one passes; `now` is in milliseconds since 1970. */
export function retryAfter({ resetAt }: Tally, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
}

/**
 * When a time is over that began at `from`: a date, milliseconds since 1970, or a date-time, which is in UTC when it names no zone. Throws a
 * RangeError when that is no time.
 */
export function deadlineOf({ windowSeconds }: { readonly windowSeconds: number }, from: Date | number | string): Date {
  const deadline = new Date(
    new Date(typeof from === "string" ? withZone(from) : from).getTime() + windowSeconds * 1000,
  );
  if (Number.isNaN(deadline.getTime())) throw new RangeError(`${String(from)} is no time from which to count`);
  return deadline;
}
