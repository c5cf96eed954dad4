import type { Fetch } from "../operation.js";
import { sleep } from "../timing/sleep.js";
import { parseRetryAfter } from "./retry-after.js";

/** Options of `withRetry`. */
export interface RetryOptions {
  /**
   * Sends the requests.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: Fetch | undefined;
  /**
   * The methods whose requests may be retried.
   *
   * @defaultValue the idempotent ones: GET, HEAD, OPTIONS, TRACE, PUT and DELETE
   */
  readonly methods?: readonly string[] | undefined;
  /**
   * Maximum number of attempts, the first one included.
   *
   * @defaultValue 4
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Milliseconds after the start of the first attempt in which further attempts may start.
   *
   * @defaultValue 60,000
   */
  readonly maxElapsedMs?: number | undefined;
  /**
   * Retries as a share of all requests, after the first `burst`.
   *
   * @defaultValue 0.1
   */
  readonly budgetRatio?: number | undefined;
  /**
   * Number of retries that can be saved for bad moments.
   *
   * @defaultValue 10
   */
  readonly budgetBurst?: number | undefined;
  /**
   * Maximum milliseconds of the first pause, without `Retry-After`. It doubles each time; the actual pause is a random part of it.
   *
   * @defaultValue 200
   */
  readonly baseDelayMs?: number | undefined;
}

// RFC 9110, 9.2.2: methods that have the same effect however often they are requested.
const idempotentMethods = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"];

/** Maximum milliseconds of a pause without `Retry-After`. */
const maxDelayMs = 20_000;

/**
 * Creates a `fetch` that retries requests after status 429, 503, or no response.
 *
 * It waits as long as `Retry-After` says, or else for a random part of a pause that doubles. The last response or error is the result.
 * `timeout` and `signal` of a call include all attempts. A body that is a stream is sent once. All clients that share the value share its budget.
 *
 * @example
 * const client = createClient({ token, fetch: withRetry({ attempts: 5 }) });
 */
export function withRetry(options: RetryOptions = {}): Fetch {
  const {
    maxAttempts = 4,
    maxElapsedMs = 60_000,
    budgetRatio = 0.1,
    budgetBurst = 10,
    baseDelayMs = 200,
    methods = idempotentMethods,
  } = options;
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  let saved = budgetBurst;

  return async (url, init) => {
    saved = Math.min(budgetBurst, saved + budgetRatio);
    const until = performance.now() + maxElapsedMs;
    const isRepeatable = methods.includes(init.method ?? "GET") && !(init.body instanceof ReadableStream);
    for (let attempt = 1; ; attempt++) {
      let response: Response | undefined;
      let failure: unknown;
      try {
        response = await send(url, attempt > 1 ? { ...init, attempt } : init);
      } catch (error) {
        failure = error;
      }
      const isOver = response && response.status !== 429 && response.status !== 503;
      const most = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
      // Jitter on top of `Retry-After`, so that clients which were rejected together do not return together.
      const wait = Math.random() * most + ((response && parseRetryAfter(response.headers)) ?? 0);
      const isWanted = isRepeatable && !isOver && !init.signal?.aborted && attempt < maxAttempts;
      if (!isWanted || saved < 1 || performance.now() + wait > until) {
        if (response) return response;
        throw failure;
      }
      saved--;
      // Frees the connection. A body that ended early has none.
      await response?.body?.cancel().catch(() => {});
      await sleep(wait, init.signal);
    }
  };
}
