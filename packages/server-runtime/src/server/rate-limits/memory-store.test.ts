import { assert, integer, property, tuple, array, record, constantFrom } from "fast-check";
import { describe, expect, test } from "vitest";
import { retryAfterSeconds } from "./limits.js";
import { createMemoryStore, type MemoryStore } from "./memory-store.js";

const second = 1000;

/** Hits one key that allows `max` hits in 10 seconds. */
function hitting(store: MemoryStore, max: number, key = "a"): (now: number) => boolean {
  return (now) => store.consume({ key, max, windowSeconds: 10, now }).isAllowed;
}

describe("a sliding window", () => {
  test("allows the maximum, rejects the next hit, and does not count rejected ones", () => {
    const hit = hitting(createMemoryStore(), 3);
    expect([0, 1, 2, 3, 9_999].map(hit)).toEqual([true, true, true, false, false]);
    expect([10_000, 10_000].map(hit)).toEqual([true, false]);
  });

  test("a hit leaves the window when it has its age", () => {
    const hit = hitting(createMemoryStore(), 1);
    expect([5, 10_004, 10_005].map(hit)).toEqual([true, false, true]);
  });

  test("allows the maximum of fifty concurrent hits", async () => {
    const store = createMemoryStore();
    const tallies = await Promise.all(
      Array.from({ length: 50 }, async () => store.consume({ key: "a", max: 10, windowSeconds: 30, now: 7 })),
    );
    expect(tallies.map((each) => each.isAllowed)).toEqual([
      ...Array.from({ length: 10 }, () => true),
      ...Array.from({ length: 40 }, () => false),
    ]);
  });

  test("a result has the remaining hits, and when the oldest one leaves", () => {
    const store = createMemoryStore();
    const hit = (now: number) => store.consume({ key: "a", max: 2, windowSeconds: 10, now });
    expect([0, 4, 5, 10_000].map(hit)).toEqual([
      { isAllowed: true, remaining: 1, resetAt: 10_000 },
      { isAllowed: true, remaining: 0, resetAt: 10_000 },
      { isAllowed: false, remaining: 0, resetAt: 10_000 },
      { isAllowed: true, remaining: 0, resetAt: 10_004 },
    ]);
  });

  test("counts keys separately", () => {
    const store = createMemoryStore();
    expect(["a", "b", "a"].map((key) => hitting(store, 1, key)(0))).toEqual([true, true, false]);
  });

  test("a maximum of zero allows none", () => {
    expect(createMemoryStore().consume({ key: "a", max: 0, windowSeconds: 10, now: 5 })).toEqual({
      isAllowed: false,
      remaining: 0,
      resetAt: 10_005,
    });
  });

  test("matches its definition for any hits of any keys", () => {
    const hits = array(tuple(integer({ min: 0, max: 4 * second }), constantFrom("a", "b", "c")), { maxLength: 200 });
    assert(
      property(record({ max: integer({ min: 1, max: 9 }), steps: hits }), ({ max, steps }) => {
        const store = createMemoryStore();
        const naive = naiveStore(max, 10 * second);
        let now = 0;
        for (const [step, key] of steps) {
          now += step;
          const tally = store.consume({ key, max, windowSeconds: 10, now });
          expect(tally).toEqual(naive(key, now));
          if (tally.isAllowed) continue;
          // A hit succeeds after the stated wait: checks a copy of the definition without further hits.
          const wait = retryAfterSeconds({ result: tally, now }) * second;
          expect(naive(key, now + wait, "ask").isAllowed).toBe(true);
        }
      }),
    );
  });
});

describe("an unreliable clock", () => {
  test("a late hit counts with the latest one", () => {
    const hit = hitting(createMemoryStore(), 2);
    expect([100, 10_099, 50, 10_050, 10_100].map(hit)).toEqual([true, true, false, false, true]);
  });

  test("set back by at most a minute, the window waits", () => {
    const hit = hitting(createMemoryStore(), 1);
    expect([60_000, 0, 69_999, 70_000].map(hit)).toEqual([true, false, false, true]);
  });

  test("set back by more, counted hits count from then on", () => {
    const hit = hitting(createMemoryStore(), 1);
    expect([60_001, 0, 9_999, 10_000].map(hit)).toEqual([true, false, false, true]);
    const another = hitting(createMemoryStore(), 1);
    expect([60_001, 30_000, 0, 9_999, 10_000].map(another)).toEqual([true, false, false, false, true]);
  });
});

describe("memory", () => {
  test("keys whose window has passed are removed", () => {
    const store = createMemoryStore();
    let most = 0;
    for (let each = 0; each < 20_000; each += 1) {
      hitting(store, 1, `key ${each}`)(each * 100); // a hundred of them are within their windows
      most = Math.max(most, store.size);
    }
    expect(most).toBeGreaterThanOrEqual(100);
    expect(most).toBeLessThan(400);
  });

  test("a key that still counts is kept", () => {
    const store = createMemoryStore();
    const hit = hitting(store, 1, "kept");
    expect(hit(0)).toBe(true);
    for (let each = 0; each < 1000; each += 1) hitting(store, 1, `key ${each}`)(9_000);
    expect(hit(9_999)).toBe(false);
    expect(store.size).toBe(1001);
  });
});

/** The definition: fewer than `max` allowed hits are younger than the window. */
function naiveStore(max: number, window: number) {
  const passed = new Map<string, number[]>();
  return (key: string, now: number, how: "hit" | "ask" = "hit") => {
    const times = (passed.get(key) ?? []).filter((time) => time > now - window);
    const isAllowed = times.length < max;
    const after = isAllowed ? [...times, now] : times;
    if (how === "hit") passed.set(key, after);
    return { isAllowed, remaining: max - after.length, resetAt: Math.min(...after) + window };
  };
}
