import type { RateLimitHit, RateLimitStore } from "../limits.js";
import { createMemoryStore } from "../memory-store.js";
import { maxLatenessMs } from "../sliding-window.js";

export interface StoreCheckOptions {
  /**
   * How many random sequences are compared.
   *
   * @defaultValue 50
   */
  readonly runs?: number;
  /** The seed of the random sequences, from 0 to 2 ** 32 - 1. A failure names it. Default: a random one. */
  readonly seed?: number;
  /** The time of the first hit, in milliseconds since 1970. Default: the time of this machine. */
  readonly start?: number;
}

/**
 * Checks a store of rates: random sequences of hits, undone hits and resets give what `createMemoryStore` gives, also with a clock that goes
 * back; and of concurrent hits, as many are allowed as the maximum. Its keys begin with `check `.
 *
 * @param store the store, which other processes may use meanwhile
 * @throws Error with the sequence up to the first difference
 *
 * @example
 * test("counts as the server expects", () => checkRateLimitStore(createMyStore(database)));
 */
export async function checkRateLimitStore(store: RateLimitStore, options: StoreCheckOptions = {}): Promise<void> {
  const { runs = 50, seed = Math.floor(Math.random() * 2 ** 32), start = Date.now() } = options;
  const random = randomFrom(seed);
  for (let run = 0; run < runs; run += 1)
    await compareSequence(store, { random, seed, start, key: `check ${seed}-${run}` });
  await checkConcurrency(store, `check ${seed}-concurrent`, start);
}

interface Sequence {
  readonly random: () => number;
  readonly seed: number;
  readonly start: number;
  readonly key: string;
}

async function compareSequence(store: RateLimitStore, { random, seed, start, key }: Sequence): Promise<void> {
  const expected = createMemoryStore();
  const max = Math.floor(random() * 5);
  const windowSeconds = 1 + Math.floor(random() * 20);
  const steps: string[] = [`seed ${seed}, at most ${max} in ${windowSeconds} s`];
  let now = start;
  // A key without hits may be forgotten, and then its latest time, too.
  let hasHits = false;
  let latest = start;
  const compare = (difference: string | undefined): void => {
    if (difference !== undefined) throw new Error(`${difference}\n${steps.join("\n")}`);
  };
  for (let step = 0; step < 30; step += 1) {
    const moved = now + timeStep(random(), windowSeconds);
    now = hasHits ? moved : Math.max(moved, latest);
    latest = latest - now > Math.max(windowSeconds * 1000, maxLatenessMs) ? now : Math.max(latest, now);
    const hit: RateLimitHit = { key, max, windowSeconds, now };
    const choice = random();
    if (choice < 0.05 && store.reset !== undefined) {
      steps.push(`reset at +${now - start}`);
      hasHits = false;
      expected.reset(key);
      await store.reset(key);
    } else if (choice < 0.15 && store.undo !== undefined) {
      steps.push(`undo at +${now - start}`);
      hasHits = false;
      expected.undo(hit);
      await store.undo(hit);
    } else {
      const [wanted, found] = [expected.consume(hit), await store.consume(hit)];
      steps.push(`hit at +${now - start}`);
      hasHits = wanted.remaining < max;
      const isSame =
        wanted.isAllowed === found.isAllowed &&
        wanted.remaining === found.remaining &&
        wanted.resetAt === found.resetAt;
      compare(isSame ? undefined : `Expected ${JSON.stringify(wanted)}, received ${JSON.stringify(found)}.`);
    }
  }
}

/** Mostly forwards by less than a window; sometimes back, and sometimes far. */
function timeStep(random: number, windowSeconds: number): number {
  if (random < 0.1) return -Math.floor(random * 20_000);
  if (random < 0.13) return -90_000;
  if (random < 0.2) return windowSeconds * 1000;
  return Math.floor(random * windowSeconds * 400);
}

async function checkConcurrency(store: RateLimitStore, key: string, now: number): Promise<void> {
  const hits = Array.from({ length: 40 }, async () => store.consume({ key, max: 7, windowSeconds: 60, now }));
  const allowed = (await Promise.all(hits)).filter(({ isAllowed }) => isAllowed).length;
  if (allowed !== 7) throw new Error(`Of 40 concurrent hits, ${allowed} were allowed. At most 7 are.`);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
