import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { call, connect, pacing, retrying, type CallOptions } from "./index.js";
import { deferred, failureOf, sendJson, serve } from "./loopback.support.js";

const creates = { id: "creates", max: 3, windowSeconds: 0.2, operations: ["POST /things"] };

/** When requests arrived, in milliseconds. */
async function server(
  answer: (reply: Parameters<ReturnType<typeof sendJson>>[0], count: number) => void = (reply) => sendJson({})(reply),
) {
  const at: number[] = [];
  const { url } = await serve((reply) => answer(reply, at.push(performance.now())));
  return { url, at };
}

function create(fetch: CallOptions["fetch"], baseUrl: string, options?: CallOptions): Promise<unknown> {
  return call(connect({ baseUrl, fetch }), { method: "POST", path: "/things" }, {}, options);
}

/** The most that arrived within any such time. */
function mostWithin(at: readonly number[], milliseconds: number): number {
  return Math.max(...at.map((start) => at.filter((each) => each >= start && each < start + milliseconds).length));
}

describe("a documented rate", () => {
  test("is not exceeded by what is asked at once, and used up", async () => {
    const { url, at } = await server();
    const paced = pacing([creates]);
    await Promise.all(Array.from({ length: 8 }, () => create(paced, url)));
    expect(mostWithin(at, 200)).toBe(3);
    expect(at).toHaveLength(8);
  });

  test("is not exceeded when requests are slow and replies come late", async () => {
    const { url, at } = await server((reply, count) => void setTimeout(sendJson({}), (count % 3) * 70, reply));
    const paced = pacing([creates]);
    await Promise.all(Array.from({ length: 9 }, () => create(paced, url)));
    expect(mostWithin(at, 200)).toBeLessThanOrEqual(3);
  });

  test("counts what is retried", async () => {
    const { url, at } = await server((reply, count) => sendJson({}, count < 4 ? 503 : 200)(reply));
    await create(retrying({ fetch: pacing([creates]), methods: ["POST"], attempts: 5, pause: 1 }), url);
    expect([at.length, mostWithin(at, 200)]).toEqual([4, 3]);
  });

  test("holds for its operations alone, each with the values of its own path", async () => {
    const { url, at } = await server();
    const paced = pacing([{ ...creates, max: 1, windowSeconds: 60, operations: ["POST /a/{id}/things"], per: "id" }]);
    const client = connect({ baseUrl: `${url}/base`, fetch: paced });
    const post = (id: number) => call(client, { method: "POST", path: "/a/{id}/things" }, { path: { id } });
    await Promise.all([post(1), post(2), create(paced, url), create(paced, url)]);
    expect(at).toHaveLength(4);
    expect(
      await failureOf(call(client, { method: "POST", path: "/a/{id}/things" }, { path: { id: 1 } }, { timeout: 50 })),
    ).toMatchObject({ code: "timeout" });
    expect(at).toHaveLength(4);
  });

  test("gives back the place of whoever stops waiting", async () => {
    const { url, at } = await server();
    const paced = pacing([{ ...creates, max: 1 }]);
    await create(paced, url);
    const abort = new AbortController();
    const given = failureOf(create(paced, url, { signal: abort.signal }));
    const after = create(paced, url);
    abort.abort();
    expect(await given).toMatchObject({ code: "aborted" });
    await after;
    expect(at).toHaveLength(2);
    const [first = 0, second = 0] = at;
    expect(second - first).toBeGreaterThanOrEqual(199);
    expect(second - first).toBeLessThan(390);
  });

  test("gives back its place where another rate is waited for in vain", async () => {
    const { url, at } = await server();
    const long = { ...creates, max: 1, windowSeconds: 60 };
    const paced = pacing([
      { ...long, id: "all", operations: ["POST /things", "POST /others"] },
      { ...long, id: "some", operations: ["POST /things", "POST /more"] },
    ]);
    const client = connect({ baseUrl: url, fetch: paced, timeout: 1000 });
    await call(client, { method: "POST", path: "/more" });
    expect(await failureOf(create(paced, url, { timeout: 50 }))).toMatchObject({ code: "timeout" });
    await call(client, { method: "POST", path: "/others" });
    expect(at).toHaveLength(2);
  });

  test("is counted from the end of a request that failed, too", async () => {
    const gone = deferred();
    const { url, at } = await server((reply, count) => {
      if (count > 1) return sendJson({})(reply);
      reply.destroy();
      gone.resolve();
    });
    const paced = pacing([{ ...creates, max: 1 }]);
    await failureOf(create(paced, url));
    await gone.promise;
    await create(paced, url);
    expect(mostWithin(at, 200)).toBe(1);
  });

  test("leaves the other places to the others while a request hangs", async () => {
    const { url, at } = await server((reply, count) => void (count > 1 && sendJson({})(reply)));
    const paced = pacing([creates]);
    const hanging = failureOf(create(paced, url, { timeout: 5000 }));
    const begun = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => create(paced, url)));
    // Two at once and two in each window after it: the third place is back two windows after the start.
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(mostWithin(at, 200)).toBe(3);
    expect(await Promise.race([hanging, Promise.resolve("it hangs")])).toBe("it hangs");
  });

  test("holds a place for two windows where a request hangs, and no longer", async () => {
    const { url, at } = await server((reply, count) => void (count > 1 && sendJson({})(reply)));
    const paced = pacing([{ ...creates, max: 1 }]);
    const hanging = failureOf(create(paced, url, { timeout: 5000 }));
    await create(paced, url);
    const [first = 0, second = 0] = at;
    expect(second - first).toBeGreaterThanOrEqual(390);
    expect(second - first).toBeLessThan(700);
    expect(await Promise.race([hanging, Promise.resolve("it hangs")])).toBe("it hangs");
  });

  test("forgets at once whoever stops waiting, behind one that hangs too", async () => {
    const { url, at } = await server((reply, count) => void (count > 1 && sendJson({})(reply)));
    const paced = pacing([{ ...creates, max: 1 }]);
    const hanging = failureOf(create(paced, url, { timeout: 5000 }));
    const { signal } = new AbortController();
    expect(await failureOf(create(paced, url, { timeout: 50, signal }))).toMatchObject({ code: "timeout" });
    await create(paced, url, { signal });
    expect(at).toHaveLength(2);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(await Promise.race([hanging, Promise.resolve("it hangs")])).toBe("it hangs");
  });

  test("leaves no timer behind that would keep a program alive", async () => {
    const { url } = await server();
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
    await create(undefined, url);
    const before = timers();
    await create(pacing([{ ...creates, windowSeconds: 60 }]), url);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
