import { UnavailableError } from "../errors/unavailable-error.js";
import type { RateLimitHit, RateLimitStore } from "./limits.js";
import { createMemoryStore } from "./memory-store.js";

/** What happens to a request while the shared store cannot count. */
export type WhenAway = "reject" | "count-here";

export interface SharedStoreOptions {
  /**
   * `reject`: a request whose rate cannot be counted gets 503. `count-here`: this process counts it alone until the store is back, so that
   * n processes together allow at most n times the maximum in one window. A function chooses by the id of the limit.
   *
   * @defaultValue `reject`
   */
  readonly whenAway?: WhenAway | ((limit: string) => WhenAway);
  /**
   * How long a count may take, in milliseconds. After that, the store is away.
   *
   * @defaultValue 1000
   */
  readonly timeoutMs?: number;
}

/** A store on a shared database. */
export type SharedStore = Required<RateLimitStore>;

/** Adds a deadline to a store, and what happens while it is away. */
export function withAwayRule(
  store: SharedStore,
  { whenAway = "reject", timeoutMs = 1000 }: SharedStoreOptions,
): SharedStore {
  const here = createMemoryStore();
  const countsHere = (key: string): boolean => {
    const [limit = ""] = key.split(" ");
    return (typeof whenAway === "function" ? whenAway(limit) : whenAway) === "count-here";
  };
  const attempt = async <T>(key: string, there: () => T | Promise<T>, instead: () => T): Promise<T> => {
    try {
      return await withDeadline(there, timeoutMs);
    } catch (error) {
      if (countsHere(key)) return instead();
      throw new UnavailableError("The store of rates is not available.", { cause: error });
    }
  };
  return {
    consume: (hit: RateLimitHit) =>
      attempt(
        hit.key,
        () => store.consume(hit),
        () => here.consume(hit),
      ),
    undo: (hit) =>
      attempt(
        hit.key,
        () => store.undo(hit),
        () => here.undo(hit),
      ),
    reset: (key) =>
      attempt(
        key,
        () => store.reset(key),
        () => here.reset(key),
      ),
  };
}

async function withDeadline<T>(run: () => T | Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The store has not answered within ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}
