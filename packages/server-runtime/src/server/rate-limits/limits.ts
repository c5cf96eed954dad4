import type { Expression } from "../conditions/expressions.js";
import { withUtcZone } from "../utc-zone.js";

/** A maximum number of requests in any window of time. */
export interface RateLimit {
  readonly kind: "rate";
  readonly id: string;
  readonly max: number;
  readonly windowSeconds: number;
  readonly error?: string;
}

/** A maximum number of operations in progress. */
export interface ConcurrencyLimit {
  readonly kind: "concurrency";
  readonly id: string;
  readonly max: number;
  readonly error?: string;
}

/** Values that have to be unique. */
export interface UniqueLimit {
  readonly kind: "unique";
  readonly id: string;
  readonly resource: string;
  readonly by: readonly string[];
  /** `parent`, `platform`, or an owner such as `account`. */
  readonly within: string;
  readonly error?: string;
}

/** How long, or how many, objects are retained. */
export interface RetentionLimit {
  readonly kind: "retention";
  readonly id: string;
  readonly max?: number;
  readonly windowSeconds?: number;
  readonly within?: string;
  /** The fields from which the time counts. */
  readonly by?: readonly string[];
}

/** The maximum size of a streamed body in bytes, and how long after its announcement it may arrive. */
export interface BytesLimit {
  readonly kind: "bytes";
  readonly id: string;
  readonly max: number;
  readonly windowSeconds?: number;
  readonly error?: string;
}

/** A rate that counts only requests with certain errors or effects. */
export interface OutcomeRate {
  readonly limit: RateLimit;
  readonly per?: Expression;
  /** Errors that count. At the limit, the server rejects requests before it handles them. */
  readonly errors: readonly string[];
  /** Effects that count. At the limit, the server handles requests, and rolls back those that have one of the effects. */
  readonly effects: readonly string[];
  /** True if the option `limits.onReached` has a function for this limit. */
  readonly isReached?: true;
}

/** A rate that restarts after a request with certain effects. */
export interface RenewedRate {
  readonly limit: RateLimit;
  readonly per?: Expression;
  readonly effects: readonly string[];
}

/** The limits of an operation. */
export interface OperationLimits {
  readonly rates?: readonly { readonly limit: RateLimit; readonly per?: Expression }[];
  readonly outcomes?: readonly OutcomeRate[];
  readonly renewed?: readonly RenewedRate[];
  readonly concurrency?: readonly { readonly limit: ConcurrencyLimit; readonly per?: Expression }[];
  readonly unique?: readonly UniqueLimit[];
  /** The maximum size of a streamed body in bytes, and the time in which it has to arrive. */
  readonly bytes?: { readonly max: number; readonly error?: string; readonly windowSeconds?: number };
}

/** One event that a rate limit counts. */
export interface RateLimitHit {
  /** The limit and its subject. Hits with equal keys count together. */
  readonly key: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** Milliseconds since 1970, by the server's clock. */
  readonly now: number;
}

export interface RateLimitResult {
  readonly isAllowed: boolean;
  /** How many more hits would be allowed now. */
  readonly remaining: number;
  /** When the next hit leaves the window, in milliseconds since 1970. A rejected request succeeds then. */
  readonly resetAt: number;
}

/** A rate and its current count. */
export interface RateLimitState {
  readonly limit: RateLimit;
  readonly result: RateLimitResult;
  /** When it was counted, in milliseconds since 1970. */
  readonly now: number;
}

/** Counts rates. Implement it on a shared database if several processes serve one API. */
export interface RateLimitStore {
  /**
   * Counts a hit if it is allowed. Has to be atomic, so that concurrent requests cannot exceed the limit. Does not count rejected hits.
   *
   * @throws UnavailableError if the store cannot count now; the server responds with 503
   */
  consume(hit: RateLimitHit): RateLimitResult | Promise<RateLimitResult>;
  /** Removes one hit that was counted at this time. Required if a limit counts requests by their outcome. */
  undo?(hit: Pick<RateLimitHit, "key" | "now">): void | Promise<void>;
  /** Removes all hits of a key. Required if a limit counts requests by their outcome. */
  reset?(key: string): void | Promise<void>;
}

/**
 * The values of the headers about a rate, by their roles. `reset` is in seconds since 1970, rounded up. `rateLimit` and `rateLimitPolicy`
 * are those of the IETF's draft-ietf-httpapi-ratelimit-headers-10: structured fields with the id of the limit.
 */
export function formatRateHeaders({ limit, result, now }: RateLimitState): Readonly<Record<RateHeader, string>> {
  const { id, max, windowSeconds } = limit;
  const { remaining, resetAt } = result;
  return {
    limit: String(max),
    remaining: String(remaining),
    reset: String(Math.ceil(resetAt / 1000)),
    rateLimit: `"${id}";r=${remaining};t=${Math.max(0, Math.ceil((resetAt - now) / 1000))}`,
    rateLimitPolicy: `"${id}";q=${max};w=${windowSeconds}`,
  };
}

/** The roles of headers about a rate. */
export type RateHeader = "limit" | "remaining" | "reset" | "rateLimit" | "rateLimitPolicy";

/** Whole seconds, at least 1, after which a rejected request succeeds. */
export function retryAfterSeconds({ result, now }: Pick<RateLimitState, "result" | "now">): number {
  return Math.max(1, Math.ceil((result.resetAt - now) / 1000));
}

/**
 * The end of a time limit.
 *
 * @param from start: a Date, milliseconds since 1970, or an ISO 8601 text, which is in UTC if it has no zone
 * @throws RangeError if `from` is not a valid point in time
 */
export function deadlineOf({ windowSeconds }: { readonly windowSeconds: number }, from: Date | number | string): Date {
  const deadline = new Date(
    new Date(typeof from === "string" ? withUtcZone(from) : from).getTime() + windowSeconds * 1000,
  );
  if (Number.isNaN(deadline.getTime()))
    throw new RangeError(
      `${String(from)} is not a valid point in time. Pass a Date, milliseconds since 1970 or an ISO 8601 text.`,
    );
  return deadline;
}
