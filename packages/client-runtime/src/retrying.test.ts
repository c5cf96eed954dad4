import { describe, expect, test } from "vitest";
import { call, connect, jsonBody, raw, retrying, type CallOptions, type RetryOptions } from "./index.js";
import { retryAfter } from "./retry-after.js";
import { settled, stopClock } from "./clock.support.js";
import { failureOf, sendJson, serve } from "./loopback.support.js";

type Reply = readonly [status: number, headers?: Record<string, string>] | "reset";

/** A server with this response, then 200, and a client that uses `retrying`. */
async function server(replies: readonly Reply[], options: RetryOptions = {}) {
  let next = 0;
  const { url, seen } = await serve((reply) => {
    const now = replies[next++];
    if (now === "reset") reply.destroy();
    else if (now === undefined) sendJson({ well: true })(reply);
    else sendJson({}, now[0], now[1])(reply);
  });
  const client = connect({ baseUrl: url, fetch: retrying({ pause: 1, ...options }) });
  const ask = (method = "GET", body?: unknown, each?: CallOptions) =>
    call(
      client,
      { method, path: "/x", write: [body instanceof ReadableStream ? raw("text/plain") : jsonBody] },
      { body },
      each,
    );
  return { ask, seen };
}

describe("what is retried", () => {
  test.each(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])("%s, after 503, 429 and no response", async (method) => {
    const { ask, seen } = await server([[503], [429], "reset"]);
    await ask(method);
    expect(seen.map((each) => each.method)).toEqual([method, method, method, method]);
  });

  test.each(["POST", "PATCH"])("not %s, unless it is an option", async (method) => {
    const { ask, seen } = await server([[503]]);
    expect(await failureOf(ask(method))).toMatchObject({ status: 503 });
    expect(seen).toHaveLength(1);
    const named = await server([[503]], { methods: [method] });
    expect(await named.ask(method, { a: 1 })).toEqual({ well: true });
    expect(named.seen.map((each) => each.body)).toEqual(['{"a":1}', '{"a":1}']);
  });

  test.each([500, 502, 404, 400, 304])("not after %d", async (status) => {
    const { ask, seen } = await server([[status]]);
    await failureOf(ask());
    expect(seen).toHaveLength(1);
  });

  test("not a body that is a stream", async () => {
    const { ask, seen } = await server([[503]]);
    const body = new Blob(["once"]).stream();
    expect(await failureOf(ask("PUT", body))).toMatchObject({ status: 503 });
    expect(seen.map((each) => each.body)).toEqual(["once"]);
  });

  test("not after the maximum number of attempts: the last response is the result", async () => {
    const { ask, seen } = await server([[503], [503], [429]], { attempts: 3 });
    expect(await failureOf(ask())).toMatchObject({ status: 429 });
    expect(seen).toHaveLength(3);
  });

  test("after a 503 whose body ended early", async () => {
    let isFirst = true;
    const { url } = await serve((reply) => {
      if (!isFirst) return sendJson({ well: true })(reply);
      isFirst = false;
      reply.writeHead(503, { "content-length": 100 }).write("{");
      setTimeout(() => reply.destroy(), 10);
    });
    const slow: CallOptions["fetch"] = async (...asked) => {
      const response = await fetch(...asked);
      await new Promise((resolve) => setTimeout(resolve, 60));
      return response;
    };
    const client = connect({ baseUrl: url, fetch: retrying({ fetch: slow, pause: 1 }) });
    expect(await call(client, { method: "GET", path: "/x" })).toEqual({ well: true });
  });

  test("not after an abort", async () => {
    const { ask, seen } = await server([[503, { "retry-after": "30" }]]);
    expect(await failureOf(ask("GET", undefined, { timeout: 100 }))).toMatchObject({ code: "timeout" });
    expect(seen).toHaveLength(1);
  });

  test("a request without a server fails as it would without retries", async () => {
    const client = connect({ baseUrl: "http://127.0.0.1:2", fetch: retrying({ pause: 1 }) });
    expect(await failureOf(call(client, { method: "GET", path: "/x" }))).toMatchObject({ code: "network" });
  });
});

describe("how long it waits", () => {
  test("as long as the response says, and not at all beyond the time limit", async () => {
    stopClock();
    const asked = async (seconds: string) => {
      const at: number[] = [];
      const answer: CallOptions["fetch"] = async () =>
        at.push(performance.now()) > 1
          ? Response.json({})
          : Response.json({}, { status: 429, headers: { "retry-after": seconds } });
      const client = connect({ baseUrl: "http://api.test", fetch: retrying({ fetch: answer, pause: 1 }) });
      const ended = await settled(call(client, { method: "GET", path: "/x" }).catch((error: unknown) => error));
      return { ended, waited: at.map((each) => each - (at[0] ?? 0)) };
    };
    const { ended, waited } = await asked("20");
    expect([ended, waited]).toEqual([{}, [0, expect.closeTo(20_000, -1)]]);
    expect(await asked("3600")).toMatchObject({ ended: { status: 429 }, waited: [0] });
  });

  test.each([
    ["2", undefined, 2000],
    ["0", undefined, 0],
    [" 7 ", undefined, 7000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:30 GMT", 7000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:49:30 GMT", 0],
    ["Sun, 06 Nov 1994 08:49:37 GMT", undefined, 0],
    ["soon", undefined, undefined],
    ["1.5", undefined, undefined],
    ["-5", undefined, undefined],
    ["5, 5", undefined, undefined],
    ["3600.5", undefined, undefined],
    ["1.5e3x", undefined, undefined],
  ])("reads Retry-After: %s, with a clock at %s", (asked, date, expected) => {
    expect(retryAfter(new Headers({ "retry-after": asked, ...(date && { date }) }))).toBe(expected);
  });

  test("ignores a malformed Retry-After", () => {
    expect(retryAfter(new Headers())).toBeUndefined();
  });
});

describe("a budget", () => {
  test("keeps retries a share of all requests, after the saved ones are used", async () => {
    const { url, seen } = await serve(sendJson({}, 503));
    const client = connect({ baseUrl: url, fetch: retrying({ pause: 0, burst: 5, share: 0.1 }) });
    for (let request = 0; request < 100; request++) await failureOf(call(client, { method: "GET", path: "/x" }));
    // 100 requests, 5 saved retries, and one for each ten.
    expect(seen.length).toBeGreaterThan(105);
    expect(seen.length).toBeLessThanOrEqual(115);
  });
});
