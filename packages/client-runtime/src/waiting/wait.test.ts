import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { advanceClock, flushMicrotasks, stopClock, until } from "../clock.support.js";
import {
  callOperation,
  createBaseClient,
  isWaitError,
  waitFor,
  type CallOptions,
  type StateWaiter,
  type WaitOptions,
} from "../index.js";
import { createDeferred, errorOf, sendJson, serve } from "../loopback.support.js";

interface Thing {
  readonly status: string;
}

const machine: StateWaiter<Thing, "new" | "ready" | "broken"> = {
  description: "thing",
  stateOf: ({ status }) => status,
  unreachable: { ready: ["new"], broken: ["new", "ready"] },
};

type Reply = string | readonly [status: number, headers?: Record<string, string>];

/** A resource with these states, or responses; the last one stays. */
async function thing(...responses: Reply[]) {
  let next = 0;
  const { url, seen } = await serve((response) => {
    const now = responses[Math.min(next++, responses.length - 1)] ?? "new";
    if (typeof now === "string") sendJson({ status: now })(response);
    else sendJson({}, now[0], now[1])(response);
  });
  const client = createBaseClient({ baseUrl: url });
  const read = (options: CallOptions): Promise<Thing> =>
    callOperation(client, { method: "GET", path: "/thing" }, {}, options);
  const wait = (target: "new" | "ready" | "broken", options?: WaitOptions) =>
    waitFor(machine, read, { client, target, options: { intervalMs: 1, ...options } });
  return { wait, seen, url };
}

/** The same with a stopped clock. */
function slowly(...responses: Reply[]): ReturnType<typeof nearby> {
  stopClock();
  return nearby(...responses);
}

/** The same within this process, with the milliseconds at which it was read. */
function nearby(...responses: Reply[]) {
  const begun = performance.now();
  const at: number[] = [];
  const fetch: CallOptions["fetch"] = async () => {
    const now = responses[Math.min(at.push(performance.now() - begun), responses.length) - 1] ?? "new";
    if (typeof now === "string") return Response.json({ status: now });
    return Response.json({}, { status: now[0], headers: { ...now[1] } });
  };
  const client = createBaseClient({ baseUrl: "http://api.test", fetch });
  const read = (options: CallOptions): Promise<Thing> =>
    callOperation(client, { method: "GET", path: "/thing" }, {}, options);
  const wait = (target: "ready", options?: WaitOptions) =>
    waitFor(machine, read, { client, target, options: { intervalMs: 1, ...options } });
  return { wait, at };
}

describe("waiting for a state", () => {
  test("returns the resource as soon as it is in the state", async () => {
    const { wait, seen } = await thing("new", "new", "ready");
    expect(await wait("ready")).toEqual({ status: "ready" });
    expect(seen).toHaveLength(3);
  });

  test("does not give up in an unknown state", async () => {
    const { wait } = await thing("polished", "ready");
    expect(await wait("ready")).toEqual({ status: "ready" });
  });

  test("stops at once, with the reason, if no transition leads there", async () => {
    const { wait, seen } = await thing("new", "broken");
    const error = await errorOf(wait("ready", { intervalMs: 5 }));
    expect(isWaitError(error)).toBe(true);
    expect(error).toMatchObject({ code: "unreachable", state: "broken", target: "ready", name: "WaitError" });
    expect(error.message).toBe("waiting for thing to become ready: it is broken, and cannot get there");
    expect(seen).toHaveLength(2);
  });

  test.each([404, 410])("stops when the resource does not exist any more: %d", async (status) => {
    const { wait } = await thing("new", [status]);
    expect(await errorOf(wait("ready"))).toMatchObject({ code: "gone", state: "new", cause: { status } });
  });

  test("fails with the error of the call, except for 429 and 503", async () => {
    const patient = await thing("new", [503], [429, { "retry-after": "0" }], "ready");
    expect(await patient.wait("ready")).toEqual({ status: "ready" });
    const { wait } = await thing("new", [500]);
    expect(await errorOf(wait("ready"))).toMatchObject({ name: "ApiError", status: 500 });
  });

  test("waits as long as Retry-After says", async () => {
    const { wait, at } = slowly([429, { "retry-after": "20" }], "ready");
    await flushMicrotasks(wait("ready"));
    expect(at).toEqual([0, expect.closeTo(20_000, -1)]);
  });

  test.each([{}, { phase: "new" }, null, ["ready"]])(
    "fails at once if the response has no state: %j",
    async (value) => {
      const { url, seen } = await serve(sendJson(value));
      const client = createBaseClient({ baseUrl: url });
      const read = (options: CallOptions): Promise<Thing> =>
        callOperation(client, { method: "GET", path: "/thing" }, {}, options);
      const error = await errorOf(waitFor(machine, read, { client, target: "ready", options: {} }));
      expect(error).toMatchObject({ name: "WaitError", code: "stateless", state: undefined, target: "ready" });
      expect(error.message).toBe("waiting for thing to become ready: the response has no state");
      expect(seen).toHaveLength(1);
    },
  );

  test("reads less and less often", async () => {
    const { wait, at } = slowly("new");
    const error = await flushMicrotasks(
      errorOf(wait("ready", { intervalMs: 20, deadline: new Date(Date.now() + 400) })),
    );
    expect(error).toMatchObject({ code: "deadline" });
    // Each pause is 1.5 times as long as the one before, ± a quarter.
    const pauses = at.slice(1).map((each, index) => each - (at[index] ?? 0));
    expect(pauses.length).toBeGreaterThan(3);
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(Math.floor(20 * 1.5 ** index * 0.75));
      expect(pause).toBeLessThanOrEqual(Math.ceil(20 * 1.5 ** index * 1.25));
    }
  });
});

describe("a wait ends", () => {
  test("at its deadline, between reads and during one", async () => {
    const { wait } = slowly("new");
    const deadline = new Date(Date.now() + 500);
    expect(await flushMicrotasks(errorOf(wait("ready", { deadline, intervalMs: 60_000 })))).toMatchObject({
      code: "deadline",
      state: "new",
    });
    const asked = createDeferred();
    const { url } = await serve(() => asked.resolve());
    const client = createBaseClient({ baseUrl: url });
    const read = (options: CallOptions): Promise<Thing> =>
      callOperation(client, { method: "GET", path: "/thing" }, {}, options);
    const options = { deadline: new Date(Date.now() + 60) };
    const error = errorOf(waitFor(machine, read, { client, target: "ready", options }));
    await asked.promise;
    await advanceClock(60);
    expect(await error).toMatchObject({ code: "deadline", state: undefined });
  });

  test("at its deadline, also after a garbage collection, and leaves no timer", async () => {
    setFlagsFromString("--expose-gc");
    const clean = runInNewContext("gc") as () => void;
    const { signal } = new AbortController();
    stopClock();
    expect(await nearby("ready").wait("ready", { deadline: new Date(Date.now() + 60_000) })).toBeDefined();
    expect(vi.getTimerCount()).toBe(0);
    const { wait, at } = nearby("new");
    const deadline = new Date(Date.now() + 300);
    const error = errorOf(wait("ready", { signal, deadline, intervalMs: 60_000, maxIntervalMs: 60_000 }));
    await until(() => at.length === 1);
    for (let turn = 0; turn < 5; turn++) {
      clean();
      await new Promise(setImmediate);
    }
    await advanceClock(300);
    expect(await error).toMatchObject({ code: "deadline", state: "new" });
  });

  test("without a read after the deadline; a far deadline needs no timer", async () => {
    const { wait, seen } = await thing("ready");
    expect(await errorOf(wait("ready", { deadline: new Date(0) }))).toMatchObject({ code: "deadline" });
    expect(seen).toEqual([]);
    expect(await wait("ready", { deadline: new Date("9999-01-01") })).toEqual({ status: "ready" });
  });

  test("by its signal, at once", async () => {
    const { wait, at } = slowly("new");
    const abort = new AbortController();
    const pending = errorOf(wait("ready", { signal: abort.signal, intervalMs: 60_000 }));
    await advanceClock(100);
    abort.abort("enough");
    const error = await pending;
    expect(at).toEqual([0]);
    expect(error).toMatchObject({ code: "aborted", cause: "enough", state: "new" });
    expect(inspect(error)).toContain("it was aborted");
  });
});

test.each([undefined, null, "aborted", new Error("no"), {}])("%o is not a WaitError", (value) => {
  expect(isWaitError(value)).toBe(false);
});
