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

/** What is asked before an operation. */
export interface OperationLimits {
  readonly rates?: readonly { readonly limit: RateLimit; readonly per?: Expression }[];
  readonly concurrency?: readonly { readonly limit: ConcurrencyLimit; readonly per?: Expression }[];
  readonly unique?: readonly UniqueLimit[];
  /** Bytes of a body that is streamed. */
  readonly bytes?: { readonly max: number; readonly error?: string };
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
  /** Counts one when it is allowed; at once, so that of many together no more pass than may. What is refused does not count. */
  hit(hit: Hit): Tally | Promise<Tally>;
}
