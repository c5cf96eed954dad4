import { describe, expect, test } from "vitest";
import { advanceClock, flushMicrotasks, stopClock } from "../clock.support.js";
import {
  callOperation,
  createBaseClient,
  jsonBody,
  rawBody,
  withRetry,
  type CallOptions,
  type RetryOptions,
} from "../index.js";
import { errorOf, sendJson, serve } from "../loopback.support.js";
import { parseRetryAfter } from "./retry-after.js";

type Reply = readonly [status: number, headers?: Record<string, string>] | "reset";

/** A server with this response, then 200, and a client that uses `withRetry`. */
async function server(responses: readonly Reply[], options: RetryOptions = {}) {
  let next = 0;
  const { url, seen } = await serve((response) => {
    const now = responses[next++];
    if (now === "reset") response.destroy();
    else if (now === undefined) sendJson({ well: true })(response);
    else sendJson({}, now[0], now[1])(response);
  });
  const client = createBaseClient({ baseUrl: url, fetch: withRetry({ baseDelayMs: 1, ...options }) });
  const ask = (method = "GET", body?: unknown, each?: CallOptions) =>
    callOperation(
      client,
      { method, path: "/x", encoders: [body instanceof ReadableStream ? rawBody("text/plain") : jsonBody] },
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
    expect(await errorOf(ask(method))).toMatchObject({ status: 503 });
    expect(seen).toHaveLength(1);
    const named = await server([[503]], { methods: [method] });
    expect(await named.ask(method, { a: 1 })).toEqual({ well: true });
    expect(named.seen.map((each) => each.body)).toEqual(['{"a":1}', '{"a":1}']);
  });

  test.each([500, 502, 404, 400, 304])("not after %d", async (status) => {
    const { ask, seen } = await server([[status]]);
    await errorOf(ask());
    expect(seen).toHaveLength(1);
  });

  test("not a body that is a stream", async () => {
    const { ask, seen } = await server([[503]]);
    const body = new Blob(["once"]).stream();
    expect(await errorOf(ask("PUT", body))).toMatchObject({ status: 503 });
    expect(seen.map((each) => each.body)).toEqual(["once"]);
  });

  test("not after the maximum number of attempts: the last response is the result", async () => {
    const { ask, seen } = await server([[503], [503], [429]], { maxAttempts: 3 });
    expect(await errorOf(ask())).toMatchObject({ status: 429 });
    expect(seen).toHaveLength(3);
  });

  test("after a 503 whose body ended early", async () => {
    const ended = new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) });
    const responses = [new Response(ended, { status: 503 }), Response.json({ well: true })];
    const send: CallOptions["fetch"] = async () => responses.shift() ?? Response.error();
    const client = createBaseClient({ baseUrl: "http://api.test", fetch: withRetry({ fetch: send, baseDelayMs: 1 }) });
    expect(await callOperation(client, { method: "GET", path: "/x" })).toEqual({ well: true });
  });

  test("not after an abort", async () => {
    stopClock();
    let asked = 0;
    const send: CallOptions["fetch"] = async () => {
      asked++;
      return Response.json({}, { status: 503, headers: { "retry-after": "30" } });
    };
    const client = createBaseClient({ baseUrl: "http://api.test", fetch: withRetry({ fetch: send }), timeout: 100 });
    expect(await flushMicrotasks(errorOf(callOperation(client, { method: "GET", path: "/x" })))).toMatchObject({
      code: "timeout",
    });
    await advanceClock(60_000);
    expect(asked).toBe(1);
  });

  test("a request without a server fails as it would without retries", async () => {
    const client = createBaseClient({ baseUrl: "http://127.0.0.1:2", fetch: withRetry({ baseDelayMs: 1 }) });
    expect(await errorOf(callOperation(client, { method: "GET", path: "/x" }))).toMatchObject({ code: "network" });
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
      const client = createBaseClient({
        baseUrl: "http://api.test",
        fetch: withRetry({ fetch: answer, baseDelayMs: 1 }),
      });
      const ended = await flushMicrotasks(
        callOperation(client, { method: "GET", path: "/x" }).catch((error: unknown) => error),
      );
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
    expect(parseRetryAfter(new Headers({ "retry-after": asked, ...(date && { date }) }))).toBe(expected);
  });

  test("ignores a malformed Retry-After", () => {
    expect(parseRetryAfter(new Headers())).toBeUndefined();
  });
});

describe("a budget", () => {
  test("keeps retries a share of all requests, after the saved ones are used", async () => {
    const { url, seen } = await serve(sendJson({}, 503));
    const client = createBaseClient({
      baseUrl: url,
      fetch: withRetry({ baseDelayMs: 0, budgetBurst: 5, budgetRatio: 0.1 }),
    });
    for (let request = 0; request < 100; request++) await errorOf(callOperation(client, { method: "GET", path: "/x" }));
    // 100 requests, 5 saved retries, and one for each ten.
    expect(seen.length).toBeGreaterThan(105);
    expect(seen.length).toBeLessThanOrEqual(115);
  });
});
