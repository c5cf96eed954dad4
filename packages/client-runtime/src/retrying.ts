import type { Fetch } from "./client.js";
import { retryAfter } from "./retry-after.js";
import { sleep } from "./sleep.js";

/** How `retrying` goes about it; each has a default. */
export interface RetryOptions {
  /** What sends; the global `fetch` when nothing is said. */
  readonly fetch?: Fetch | undefined;
  /** The methods whose requests may be sent again: GET, HEAD, OPTIONS, TRACE, PUT and DELETE, which are idempotent. */
  readonly methods?: readonly string[] | undefined;
  /** How often a request is sent at most, the first time included: 4. */
  readonly attempts?: number | undefined;
  /** Milliseconds after the first attempt after which no further one begins: 60,000. */
  readonly within?: number | undefined;
  /** The share of all requests that retries may be: 0.1, after the first `burst`. */
  readonly share?: number | undefined;
  /** How many retries are saved up for bad moments: 10. */
  readonly burst?: number | undefined;
  /** Milliseconds of the first pause at most, without `Retry-After`: 200. It doubles each time; the pause is a random part of it. */
  readonly pause?: number | undefined;
}

// RFC 9110, 9.2.2: what is meant to have the same effect however often it is asked for.
const idempotent = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"];

/** Without `Retry-After`, no pause is longer, in milliseconds. */
const longestPause = 20_000;

/**
 * A `fetch` that sends again what got 429, 503 or no reply at all, after as long as `Retry-After` asks for or, without
 * it, a random part of a pause that doubles. The last reply or failure is the result; `timeout` and `signal` of a call
 * hold for all of it. A body that is a stream is sent once. One value keeps one budget, whatever clients share it.
 *
 * @example
 * const client = createClient({ token, fetch: retrying({ attempts: 5 }) });
 */
export function retrying(options: RetryOptions = {}): Fetch {
  const { attempts = 4, within = 60_000, share = 0.1, burst = 10, pause = 200, methods = idempotent } = options;
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  let saved = burst;

  return async (url, init) => {
    saved = Math.min(burst, saved + share);
    const until = performance.now() + within;
    const isRepeatable = methods.includes(init.method ?? "GET") && !(init.body instanceof ReadableStream);
    for (let attempt = 1; ; attempt++) {
      let response: Response | undefined;
      let failure: unknown;
      try {
        response = await send(url, init);
      } catch (error) {
        failure = error;
      }
      const isOver = response && response.status !== 429 && response.status !== 503;
      const most = Math.min(longestPause, pause * 2 ** (attempt - 1));
      // The jitter is added to what is asked for: all who were turned away together shall not come back together.
      const wait = Math.random() * most + ((response && retryAfter(response.headers)) ?? 0);
      const isWanted = isRepeatable && !isOver && !init.signal?.aborted && attempt < attempts;
      if (!isWanted || saved < 1 || performance.now() + wait > until) {
        if (response) return response;
        throw failure;
      }
      saved--;
      // Gives the connection back; a body that broke off meanwhile has none.
      await response?.body?.cancel().catch(() => {});
      await sleep(wait, init.signal);
    }
  };
}
