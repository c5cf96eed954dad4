import type { Fetch, Operation } from "../operation.js";
import { onAbort } from "../timing/signals.js";
import { maxTimerMs, sleep } from "../timing/sleep.js";

/** A rate limit that a description documents. */
export interface RateLimit {
  readonly id: string;
  /** Maximum number of requests in any window. */
  readonly max: number;
  /** Length of the window in seconds. */
  readonly windowSeconds: number;
  /** The operations that count together, as `METHOD /path/{template}`. */
  readonly operations: readonly string[];
  /** The path parameter whose values are counted separately. */
  readonly per?: string;
}

/** Options of `rateLimit`. */
export interface RateLimitOptions {
  /**
   * Sends the requests.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: Fetch | undefined;
}

// Milliseconds. Timers may fire a little early, and a server's clock ticks in milliseconds.
const timerMarginMs = 10;

/**
 * Creates a `fetch` that delays requests which would exceed a documented rate. It sends them in their order.
 *
 * The time of arrival is unknown to the sender, so a window starts when a request ends, or one window after its start if it has not ended by then.
 * So a delay on the way cannot bring two requests too close together, and a request that hangs counts for two windows.
 * `timeout` and `signal` of a call include the delay. Create one for each token: servers count rates by caller.
 *
 * @param rates the rates that the description documents
 * @example
 * const client = createBaseClient({ baseUrl, token, fetch: rateLimit([{ id: "creates", max: 10, windowSeconds: 30, operations: ["POST /instances"] }]) });
 */
export function rateLimit(rates: readonly RateLimit[], options: RateLimitOptions = {}): Fetch {
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const queues = new Map<string, Queue>();

  return async (url, init) => {
    const { operation, signal } = init;
    const matchingRates = operation
      ? rates.filter((rate) => rate.operations.includes(`${operation.method} ${operation.path}`))
      : [];
    const turns: AcquiredSlot[] = [];
    try {
      for (const rate of matchingRates) {
        const queue = queueOf(queues, rate, rateKey(rate, operation, url));
        // The slot that is free first.
        const at = queue.slots.sort((a, b) => a - b).shift() ?? (await waitForSlot(queue.waiting, signal));
        turns.push(acquireSlot(queue, rate, at));
        await sleep(Math.max(0, at - performance.now()), signal);
      }
      for (const { begin } of turns) begin();
      return await send(url, init);
    } finally {
      for (const { end } of turns) end();
    }
  };
}

/** The slots of a rate: as many as it allows requests. Each slot allows one request in a window. */
interface Queue {
  readonly max: number;
  /** When each unused slot is free, by `performance.now()`. */
  readonly slots: number[];
  /** The requests that wait for a slot, in order. */
  readonly waiting: Set<(at: number) => void>;
}

/** A slot that a request uses. */
interface AcquiredSlot {
  readonly begin: () => void;
  /** Passes the slot to the next request. Unchanged, if this request has not started. */
  readonly end: () => void;
}

function acquireSlot({ slots, waiting }: Queue, { windowSeconds }: RateLimit, at: number): AcquiredSlot {
  const pause = windowSeconds * 1000;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isHeld = true;
  const end = (): void => {
    clearTimeout(timer);
    if (!isHeld) return;
    isHeld = false;
    const free = timer ? performance.now() + pause + timerMarginMs : at;
    const [next] = waiting;
    if (!next) return void slots.push(free);
    waiting.delete(next);
    next(free);
  };
  return { begin: () => (timer = setTimeout(end, Math.min(pause, maxTimerMs))), end };
}

/** Waits for a slot, and resolves with the time when it is free. Rejects with the reason of the signal when it aborts. */
function waitForSlot(waiting: Queue["waiting"], signal: AbortSignal | null | undefined): Promise<number> {
  let leave: (() => void) | undefined;
  const promise = new Promise<number>((resolve, reject) => {
    waiting.add(resolve);
    if (signal)
      leave = onAbort(signal, () => {
        waiting.delete(resolve);
        reject(signal.reason as Error);
      });
  });
  return promise.finally(leave);
}

/** With more queues than this, unused ones are deleted. */
const maxIdleQueues = 1000;

function queueOf(queues: Map<string, Queue>, { id, max }: RateLimit, key: string): Queue {
  const name = `${id} ${key}`;
  const existing = queues.get(name);
  if (existing) return existing;
  const now = performance.now();
  if (queues.size > maxIdleQueues)
    for (const [each, { max: all, slots }] of queues)
      if (slots.length === all && slots.every((at) => at <= now)) queues.delete(each);
  const queue: Queue = { max, slots: Array.from({ length: max }, () => 0), waiting: new Set() };
  queues.set(name, queue);
  return queue;
}

/** The value by which a rate counts, as the path has it. */
function rateKey({ per }: RateLimit, operation: Operation | undefined, url: string): string {
  const parts = operation?.path.split("/") ?? [];
  const place = parts.indexOf(`{${per}}`);
  // From the end, because `baseUrl` may have a path, too.
  return place < 0 ? "" : (new URL(url).pathname.split("/").at(place - parts.length) ?? "");
}
