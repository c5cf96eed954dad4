import type { Fetch } from "./client.js";
import type { Operation } from "./operation.js";
import { sleep } from "./sleep.js";

/** A rate that a description documents. */
export interface Rate {
  readonly id: string;
  /** So many requests … */
  readonly max: number;
  /** … in any such time. */
  readonly windowSeconds: number;
  /** The operations that count together, as `METHOD /path/{template}`. */
  readonly operations: readonly string[];
  /** The path parameter whose values count apart from each other. */
  readonly per?: string;
}

/** What `pacing` sends with. */
export interface PacingOptions {
  /** The global `fetch` when nothing is said. */
  readonly fetch?: Fetch | undefined;
}

// Timers may fire a little early, and a server's clock ticks in milliseconds.
const margin = 10;

/**
 * A `fetch` that waits where the next request would go beyond a documented rate, first come, first served. It counts
 * from the end of each request, so that no delay on the way can bring two closer together. `timeout` and `signal` of a
 * call hold while it waits. A rate is counted for one caller: make one for each token.
 *
 * @example
 * const client = connect({ baseUrl, token, fetch: pacing([{ id: "creates", max: 10, windowSeconds: 30, operations: ["POST /instances"] }]) });
 */
export function pacing(rates: readonly Rate[], options: PacingOptions = {}): Fetch {
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const queues = new Map<string, Queue>();

  return async (url, init) => {
    const { operation, signal } = init;
    const own = operation
      ? rates.filter((rate) => rate.operations.includes(`${operation.method} ${operation.path}`))
      : [];
    const ends: ((isUsed: boolean) => void)[] = [];
    let isUsed = false;
    try {
      for (const rate of own) ends.push(await turn(queueOf(queues, rate, keyOf(rate, operation, url)), rate, signal));
      isUsed = true;
      return await send(url, init);
    } finally {
      for (const end of ends) end(isUsed);
    }
  };
}

/**
 * As many places as the rate has requests. Each is a promise of when it is free, and goes to one request after the
 * other: within a window, each place lets no more than one arrive.
 */
interface Queue {
  readonly places: Promise<number>[];
  /** How many hold or wait for a place. */
  busy: number;
  /** When the last place is free, as far as is known. */
  free: number;
}

/** Waits for a place, and gives back what ends the turn; a place that was not used is free at once. */
async function turn(
  queue: Queue,
  { windowSeconds }: Rate,
  signal?: AbortSignal | null,
): Promise<(isUsed: boolean) => void> {
  const pause = windowSeconds * 1000 + margin;
  let leave = (_at: number | Promise<number>): void => {};
  const before = queue.places.shift() ?? Promise.resolve(0);
  queue.places.push(new Promise<number>((resolve) => (leave = resolve)));
  queue.busy++;
  try {
    const at = await (signal ? Promise.race([before, abortOf(signal)]) : before);
    await sleep(Math.max(0, at - performance.now()), signal);
  } catch (reason) {
    // Nothing was sent: whoever is next has the place as it was.
    queue.busy--;
    leave(before);
    throw reason;
  }
  return (isUsed) => {
    queue.busy--;
    if (!isUsed) return leave(before);
    queue.free = performance.now() + pause;
    leave(queue.free);
  };
}

async function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/** More queues than this are looked through for those that nobody needs any more. */
const mostIdle = 1000;

function queueOf(queues: Map<string, Queue>, { id, max }: Rate, key: string): Queue {
  const name = `${id} ${key}`;
  const known = queues.get(name);
  if (known) return known;
  if (queues.size > mostIdle)
    for (const [each, { busy, free }] of queues) if (!busy && free <= performance.now()) queues.delete(each);
  const queue = { places: Array.from({ length: max }, () => Promise.resolve(0)), busy: 0, free: 0 };
  queues.set(name, queue);
  return queue;
}

/** The value that a rate is counted for, as it stands in the path. */
function keyOf({ per }: Rate, operation: Operation | undefined, url: string): string {
  const parts = operation?.path.split("/") ?? [];
  const place = parts.indexOf(`{${per}}`);
  // From the end, since `baseUrl` may have a path, too.
  return place < 0 ? "" : (new URL(url).pathname.split("/").at(place - parts.length) ?? "");
}
