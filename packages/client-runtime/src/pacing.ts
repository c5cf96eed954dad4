import type { Fetch } from "./client.js";
import type { Operation } from "./operation.js";
import { onAbort } from "./signals.js";
import { longest, sleep } from "./sleep.js";

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
 * A `fetch` that waits where the next request would go beyond a documented rate, first come, first served. Of a rate,
 * so many requests may arrive in any window. When one arrived, its sender cannot know: a window begins where a request
 * ends, so that no delay on the way can bring two closer together, or a window after its start where it has not ended
 * by then. So one that hangs takes the place of one request, for two windows. `timeout` and `signal` of a call hold
 * while it waits. A rate is counted for one caller: make one for each token.
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
    const turns: Turn[] = [];
    try {
      for (const rate of own) {
        const queue = queueOf(queues, rate, keyOf(rate, operation, url));
        // Whichever is free first.
        const at = queue.places.sort((a, b) => a - b).shift() ?? (await given(queue.waiting, signal));
        turns.push(turn(queue, rate, at));
        await sleep(Math.max(0, at - performance.now()), signal);
      }
      for (const { begin } of turns) begin();
      return await send(url, init);
    } finally {
      for (const { end } of turns) end();
    }
  };
}

/** As many places as the rate has requests: within a window, each lets no more than one arrive. */
interface Queue {
  readonly max: number;
  /** When each that nobody holds is free. */
  readonly places: number[];
  /** Who waits for one, in order. */
  readonly waiting: Set<(at: number) => void>;
}

/** A place that a request holds. */
interface Turn {
  readonly begin: () => void;
  /** Gives the place to whoever is next: as it was, where it has not begun. */
  readonly end: () => void;
}

function turn({ places, waiting }: Queue, { windowSeconds }: Rate, at: number): Turn {
  const pause = windowSeconds * 1000;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isHeld = true;
  const end = (): void => {
    clearTimeout(timer);
    if (!isHeld) return;
    isHeld = false;
    const free = timer ? performance.now() + pause + margin : at;
    const [next] = waiting;
    if (!next) return void places.push(free);
    waiting.delete(next);
    next(free);
  };
  return { begin: () => (timer = setTimeout(end, Math.min(pause, longest))), end };
}

/** Waits for a place, and gives back when it is free; throws the reason of a signal as soon as that is aborted. */
function given(waiting: Queue["waiting"], signal: AbortSignal | null | undefined): Promise<number> {
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

/** More queues than this are looked through for those that nobody needs any more. */
const mostIdle = 1000;

function queueOf(queues: Map<string, Queue>, { id, max }: Rate, key: string): Queue {
  const name = `${id} ${key}`;
  const known = queues.get(name);
  if (known) return known;
  const now = performance.now();
  if (queues.size > mostIdle)
    for (const [each, { max: all, places }] of queues)
      if (places.length === all && places.every((at) => at <= now)) queues.delete(each);
  const queue: Queue = { max, places: Array.from({ length: max }, () => 0), waiting: new Set() };
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
