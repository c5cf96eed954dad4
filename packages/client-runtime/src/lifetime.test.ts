import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { advanceClock, flushMicrotasks, stopClock } from "./clock.support.js";
import { asStream, callOperation, createBaseClient } from "./index.js";
import { createDeferred, errorOf, sendJson, serve } from "./loopback.support.js";
import { sleep } from "./timing/sleep.js";

const operation = { method: "GET", path: "/x" };
const never = () => new Promise<never>(() => {});

describe("a timeout", () => {
  test("includes the wait for a response", async () => {
    stopClock();
    const asked = createDeferred();
    const { url } = await serve(() => asked.resolve());
    const error = errorOf(callOperation(createBaseClient({ baseUrl: url, timeout: 30 }), operation));
    await asked.promise;
    await advanceClock(30);
    expect(await error).toMatchObject({ code: "timeout", status: 0, message: `GET ${url}/x: timeout` });
  });

  test("includes the body", async () => {
    stopClock();
    const answered = createDeferred();
    const { url } = await serve(
      (response) => void response.writeHead(200, { "content-type": "application/json" }).write("{"),
    );
    const client = createBaseClient({ baseUrl: url, timeout: 30, onResponse: () => answered.resolve() });
    const error = errorOf(callOperation(client, operation));
    await answered.promise;
    await advanceClock(30);
    expect(await error).toMatchObject({ code: "timeout" });
  });

  test.each(["onRequest", "onResponse", "token", "authorize", "fetch"])("includes a %s that hangs", async (name) => {
    const { url } = await serve();
    stopClock();
    const reached = createDeferred();
    const hang = async (): Promise<never> => {
      reached.resolve();
      return never();
    };
    const client = createBaseClient({ baseUrl: url, timeout: 30, [name]: hang });
    const error = errorOf(callOperation(client, operation));
    await reached.promise;
    await advanceClock(30);
    expect(await error).toMatchObject({ code: "timeout", url: `${url}/x` });
  });

  test("prevents a request whose credentials come too late, with any fetch", async () => {
    stopClock();
    const sent: string[] = [];
    const fetch = async (url: string) => {
      sent.push(url);
      return new Response();
    };
    const secret = createDeferred<string>();
    const token = () => secret.promise;
    const error = errorOf(
      callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2", fetch, token, timeout: 20 }), operation),
    );
    await advanceClock(20);
    secret.resolve("late");
    // Everything that the token lets go on.
    await new Promise(setImmediate);
    expect([((await error) as { code?: string }).code, sent]).toEqual(["timeout", []]);
  });

  test("of a call overrides the client's, in both directions", async () => {
    stopClock();
    const fetch = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return Response.json({});
    };
    const client = { baseUrl: "http://127.0.0.1:2", fetch };
    const shorter = errorOf(
      callOperation(createBaseClient({ ...client, timeout: 5000 }), operation, {}, { timeout: 20 }),
    );
    expect(await flushMicrotasks(shorter)).toMatchObject({ code: "timeout" });
    const longer = callOperation(createBaseClient({ ...client, timeout: 20 }), operation, {}, { timeout: 5000 });
    expect(await flushMicrotasks(longer)).toEqual({});
  });

  test.each([0, 2 ** 31, Infinity])("of %d means no limit", async (timeout) => {
    const { url } = await serve();
    expect(await callOperation(createBaseClient({ baseUrl: url, timeout }), operation)).toEqual({});
  });

  test("leaves no timer, however the call ends", async () => {
    stopClock();
    const baseUrl = "http://127.0.0.1:2";
    // Within this process, since connections have timers of their own.
    const succeed = async (): Promise<Response> => Response.json({});
    const fail = async (): Promise<never> => Promise.reject(new TypeError("fetch failed"));
    await callOperation(createBaseClient({ baseUrl, fetch: succeed, timeout: 60_000 }), operation);
    await errorOf(callOperation(createBaseClient({ baseUrl, fetch: fail, timeout: 60_000 }), operation));
    await errorOf(callOperation(createBaseClient({ timeout: 60_000 }), operation));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a signal", () => {
  test("that is aborted already sends nothing", async () => {
    const { url, seen } = await serve();
    const error = await errorOf(
      callOperation(createBaseClient({ baseUrl: url }), operation, {}, { signal: AbortSignal.abort("enough") }),
    );
    expect(error).toMatchObject({ code: "aborted", status: 0, message: "GET /x: aborted", cause: "enough" });
    expect(seen).toEqual([]);
  });

  test("ends a call in progress", async () => {
    const abort = new AbortController();
    const { url } = await serve(() => abort.abort());
    const error = await errorOf(callOperation(createBaseClient({ baseUrl: url, signal: abort.signal }), operation));
    expect(error).toMatchObject({ code: "aborted", message: `GET ${url}/x: aborted` });
  });

  test("ends a call whose fetch ignores signals", async () => {
    const abort = new AbortController();
    const pending = callOperation(
      createBaseClient({ baseUrl: "http://127.0.0.1:2", fetch: never }),
      operation,
      {},
      { signal: abort.signal },
    );
    abort.abort();
    expect(await errorOf(pending)).toMatchObject({ code: "aborted" });
  });

  test("closes the connection", async () => {
    const abort = new AbortController();
    const closed = createDeferred();
    const { url } = await serve((response) => {
      response.on("close", closed.resolve);
      abort.abort();
    });
    await errorOf(callOperation(createBaseClient({ baseUrl: url }), operation, {}, { signal: abort.signal }));
    await closed.promise;
  });

  test("has no further listener after a stream that timed out unread", async () => {
    const { url } = await serve((response) => void response.writeHead(200).write("a"));
    stopClock();
    const { signal } = new AbortController();
    const stream = await callOperation<ReadableStream<Uint8Array>>(
      createBaseClient({ baseUrl: url, signal, timeout: 50 }),
      {
        ...operation,
        decoder: asStream,
      },
    );
    await advanceClock(50);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(await errorOf(stream.getReader().read())).toMatchObject({ code: "timeout" });
  });

  test("has no further listener after many calls that succeed, fail and cannot be sent", async () => {
    const { url } = await serve((response, { url: at }) => sendJson({}, at === "/bad" ? 400 : 200)(response));
    const { signal } = new AbortController();
    const client = createBaseClient({ baseUrl: url, signal, timeout: 60_000 });
    const rounds = process.env["MODE"] === "full" ? 250 : 25;
    for (let round = 0; round < rounds; round++)
      await Promise.allSettled([
        callOperation(client, operation),
        callOperation(client, { method: "GET", path: "/bad" }),
        callOperation(client, { method: "GET", path: "/{missing}" }),
        callOperation(client, operation, {}, { baseUrl: "http://127.0.0.1:2" }),
      ]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a signal with many listeners", () => {
  /** Runs many calls at once, and collects the warnings of Node. */
  async function warningsOf(begin: () => readonly Promise<unknown>[]): Promise<readonly string[]> {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", note);
    await Promise.allSettled(begin());
    // Node emits a warning in the next turn.
    await new Promise(setImmediate);
    process.off("warning", note);
    return warnings;
  }

  test("ends all calls without a warning, and has no further listener", async () => {
    const count = 30;
    const abort = new AbortController();
    const { signal } = abort;
    const { url, seen } = await serve(() => seen.length === count && abort.abort("enough"));
    const calls = Array.from({ length: count }, () =>
      callOperation(createBaseClient({ baseUrl: url, signal }), operation),
    );
    const waits = Array.from({ length: count }, () => sleep(2 ** 31 - 1, signal));
    expect(await warningsOf(() => [...calls, ...waits])).toEqual([]);
    for (const each of calls) expect(await errorOf(each)).toMatchObject({ code: "aborted", cause: "enough" });
    for (const each of waits) expect(await each.catch((reason: unknown) => reason)).toBe("enough");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("keeps the other calls when one has ended", async () => {
    const { url } = await serve((response, { url: at }) => void (at === "/x" && sendJson({})(response)));
    const abort = new AbortController();
    const client = createBaseClient({ baseUrl: url, signal: abort.signal });
    const other = errorOf(callOperation(client, { method: "GET", path: "/hangs" }));
    expect(await callOperation(client, operation)).toEqual({});
    expect(getEventListeners(abort.signal, "abort")).toHaveLength(1);
    abort.abort();
    expect(await other).toMatchObject({ code: "aborted" });
  });
});

describe("a hook that throws", () => {
  const onResponse = (): never => {
    throw new Error("no");
  };

  test("closes the connection of a response that is not read any more", async () => {
    const closed = createDeferred();
    const { url } = await serve((response) => {
      response.on("close", closed.resolve);
      response.writeHead(200).write("{");
    });
    expect((await errorOf(callOperation(createBaseClient({ baseUrl: url, onResponse }), operation))).message).toBe(
      "no",
    );
    await closed.promise;
  });

  test.each([
    ["has a reader", (response: Response) => void response.body?.getReader()],
    [
      "is not a stream of the platform",
      (response: Response) => void Object.defineProperty(response, "body", { value: {} }),
    ],
  ])("is what the call throws if the body %s", async (_, change) => {
    const fetch = async (): Promise<Response> => {
      const response = new Response("{}");
      change(response);
      return response;
    };
    const client = createBaseClient({ baseUrl: "http://127.0.0.1:2", fetch, onResponse });
    expect((await errorOf(callOperation(client, operation))).message).toBe("no");
  });
});

test("no promise rejects unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const abort = new AbortController();
  const { url } = await serve(() => abort.abort());
  await errorOf(callOperation(createBaseClient({ baseUrl: url, signal: abort.signal }), operation));
  await errorOf(callOperation(createBaseClient({ baseUrl: url, timeout: 10 }), operation));
  await errorOf(callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2" }), operation));
  // Node reports a rejection after the microtasks of the turn.
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
