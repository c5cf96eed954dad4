import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { advanceClock, flushMicrotasks, stopClock, until } from "../clock.support.js";
import { callOperation, createBaseClient, rateLimit, withRetry, type CallOptions, type RateLimit } from "../index.js";
import { errorOf, sendJson, serve } from "../loopback.support.js";

const creates = { id: "creates", max: 3, windowSeconds: 0.2, operations: ["POST /things"] };
const baseUrl = "http://api.test";

type Send = NonNullable<CallOptions["fetch"]>;

/** A `fetch` within this process, and the arrival times of requests in milliseconds. */
function api(answer: (count: number, signal: AbortSignal | null | undefined) => Promise<Response>) {
  const at: number[] = [];
  const send: Send = async (_, { signal }) => answer(at.push(performance.now()), signal);
  return { at, paced: (...rates: readonly RateLimit[]): Send => rateLimit(rates, { fetch: send }) };
}

async function done(): Promise<Response> {
  return Response.json({});
}

/** The first request has no response until its signal aborts. */
async function firstHangs(count: number, signal: AbortSignal | null | undefined): Promise<Response> {
  if (count > 1) return done();
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
}

function create(fetch: Send | undefined, url = baseUrl, options?: CallOptions): Promise<unknown> {
  return callOperation(createBaseClient({ baseUrl: url, fetch }), { method: "POST", path: "/things" }, {}, options);
}

/** The maximum number of arrivals within a window. */
function mostWithin(at: readonly number[], milliseconds: number): number {
  return Math.max(...at.map((start) => at.filter((each) => each >= start && each < start + milliseconds).length));
}

async function stateOf(pending: Promise<unknown>): Promise<unknown> {
  return Promise.race([pending, Promise.resolve("it hangs")]);
}

describe("a documented rate, on real connections", () => {
  test("is not exceeded by concurrent requests", async () => {
    stopClock();
    const at: number[] = [];
    const { url } = await serve((response) => {
      at.push(performance.now());
      sendJson({})(response);
    });
    const paced = rateLimit([creates]);
    let ended = 0;
    const all = Promise.all(Array.from({ length: 8 }, async () => create(paced, url).then(() => (ended += 1))));
    for (const count of [3, 6, 8]) {
      await advanceClock(count === 3 ? 0 : 210);
      await until(() => ended === count);
    }
    await all;
    expect(at.map((each) => each - (at[0] ?? 0))).toEqual([0, 0, 0, 210, 210, 210, 420, 420]);
  });

  test("leaves no timer that would keep a program alive", async () => {
    stopClock();
    const { paced } = api(done);
    await flushMicrotasks(create(paced({ ...creates, windowSeconds: 60 })));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a documented rate", () => {
  beforeEach(stopClock);

  test("is not exceeded by concurrent requests, and used completely", async () => {
    const { at, paced } = api(done);
    const fetch = paced(creates);
    await flushMicrotasks(Promise.all(Array.from({ length: 8 }, () => create(fetch))));
    expect(at.map((each) => each - (at[0] ?? 0))).toEqual([0, 0, 0, 210, 210, 210, 420, 420]);
  });

  test("is not exceeded by slow requests and late responses", async () => {
    const { at, paced } = api(async (count) => {
      await new Promise((resolve) => setTimeout(resolve, (count % 3) * 70));
      return done();
    });
    const fetch = paced(creates);
    await flushMicrotasks(Promise.all(Array.from({ length: 9 }, () => create(fetch))));
    expect(at).toHaveLength(9);
    expect(mostWithin(at, 200)).toBeLessThanOrEqual(3);
  });

  test("counts retries", async () => {
    const { at, paced } = api(async (count) => Response.json({}, { status: count < 4 ? 503 : 200 }));
    await flushMicrotasks(
      create(withRetry({ fetch: paced(creates), methods: ["POST"], maxAttempts: 5, baseDelayMs: 1 })),
    );
    expect([at.length, mostWithin(at, 200)]).toEqual([4, 3]);
  });

  test("applies to its operations only, for each value of the path parameter", async () => {
    const { at, paced } = api(done);
    const fetch = paced({ ...creates, max: 1, windowSeconds: 60, operations: ["POST /a/{id}/things"], per: "id" });
    const client = createBaseClient({ baseUrl: `${baseUrl}/base`, fetch });
    const post = (id: number) => callOperation(client, { method: "POST", path: "/a/{id}/things" }, { path: { id } });
    await flushMicrotasks(Promise.all([post(1), post(2), create(fetch), create(fetch)]));
    expect(at).toHaveLength(4);
    const late = callOperation(
      client,
      { method: "POST", path: "/a/{id}/things" },
      { path: { id: 1 } },
      { timeout: 50 },
    );
    expect(await flushMicrotasks(errorOf(late))).toMatchObject({ code: "timeout" });
    expect(at).toHaveLength(4);
  });

  test("passes on the slot of a request that stops waiting", async () => {
    const { at, paced } = api(done);
    const fetch = paced({ ...creates, max: 1 });
    await flushMicrotasks(create(fetch));
    const abort = new AbortController();
    const given = errorOf(create(fetch, baseUrl, { signal: abort.signal }));
    const after = create(fetch);
    abort.abort();
    expect(await given).toMatchObject({ code: "aborted" });
    await flushMicrotasks(after);
    const [first = 0, second = 0] = at;
    expect([at.length, second - first]).toEqual([2, 210]);
  });

  test("passes on its slot if the request waits for another rate in vain", async () => {
    const { at, paced } = api(done);
    const long = { ...creates, max: 1, windowSeconds: 60 };
    const fetch = paced(
      { ...long, id: "all", operations: ["POST /things", "POST /others"] },
      { ...long, id: "some", operations: ["POST /things", "POST /more"] },
    );
    const client = createBaseClient({ baseUrl, fetch, timeout: 1000 });
    await flushMicrotasks(callOperation(client, { method: "POST", path: "/more" }));
    expect(await flushMicrotasks(errorOf(create(fetch, baseUrl, { timeout: 50 })))).toMatchObject({ code: "timeout" });
    await flushMicrotasks(callOperation(client, { method: "POST", path: "/others" }));
    expect(at).toHaveLength(2);
  });

  test("counts a failed request from its end", async () => {
    const { at, paced } = api(async (count) => {
      if (count > 1) return done();
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new TypeError("fetch failed");
    });
    const fetch = paced({ ...creates, max: 1 });
    await flushMicrotasks(errorOf(create(fetch)));
    await flushMicrotasks(create(fetch));
    const [first = 0, second = 0] = at;
    expect(second - first).toBe(30 + 210);
  });

  test("keeps the other slots available while a request hangs", async () => {
    const { at, paced } = api(firstHangs);
    const fetch = paced(creates);
    const hanging = errorOf(create(fetch, baseUrl, { timeout: 5000 }));
    const begun = performance.now();
    await flushMicrotasks(Promise.all(Array.from({ length: 6 }, () => create(fetch))));
    // Two at once and two in each window after it: the third slot is free two windows after the start.
    expect(performance.now() - begun).toBeLessThan(450);
    expect(mostWithin(at, 200)).toBe(3);
    expect(await stateOf(hanging)).toBe("it hangs");
  });

  test("occupies a slot for two windows if a request hangs, and no longer", async () => {
    const { at, paced } = api(firstHangs);
    const fetch = paced({ ...creates, max: 1 });
    const hanging = errorOf(create(fetch, baseUrl, { timeout: 5000 }));
    await flushMicrotasks(create(fetch));
    const [first = 0, second = 0] = at;
    expect(second - first).toBe(410);
    expect(await stateOf(hanging)).toBe("it hangs");
  });

  test("removes a request that stops waiting at once, even behind one that hangs", async () => {
    const { at, paced } = api(firstHangs);
    const fetch = paced({ ...creates, max: 1 });
    const hanging = errorOf(create(fetch, baseUrl, { timeout: 5000 }));
    const { signal } = new AbortController();
    const late = errorOf(create(fetch, baseUrl, { timeout: 50, signal }));
    await advanceClock(50);
    expect(await late).toMatchObject({ code: "timeout" });
    await flushMicrotasks(create(fetch, baseUrl, { signal }));
    expect(at).toHaveLength(2);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(await stateOf(hanging)).toBe("it hangs");
  });
});
