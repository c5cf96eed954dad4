import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { callOperation } from "../call-operation.js";
import { createBaseClient, type CallOptions, type Client } from "../client.js";
import { advanceClock, flushMicrotasks, stopClock } from "../clock.support.js";
import { createDeferred, errorOf, serve, type SeenRequest } from "../loopback.support.js";
import { followEvents, type FollowOptions } from "./follow-events.js";
import { asEvents, type ServerSentEvent } from "./items.js";

const watch = (client: Client, request: object, options?: CallOptions) =>
  callOperation<AsyncIterable<ServerSentEvent>>(
    client,
    { method: "GET", path: "/events", decoder: asEvents },
    request,
    options,
  );

/** Responds; the promise resolves at the next event that the follower receives. */
type Answer = (response: ServerResponse, received: Promise<void>) => void;

const events =
  (text: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream", ...headers }).end(text);

const broken =
  (text: string): Answer =>
  (response, received) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(text);
    void received.then(() => response.destroy());
  };

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();

interface Followed {
  readonly data: readonly (string | undefined)[];
  readonly sent: readonly (string | undefined)[];
  readonly error: unknown;
}

/** Follows a server that responds like this, one connection after the other, and to further ones with 204. */
async function follow(answers: readonly Answer[], options: FollowOptions = {}): Promise<Followed> {
  const waiting = [...answers];
  let received = createDeferred();
  const { url, seen } = await serve((response) => {
    received = createDeferred();
    (waiting.shift() ?? status(204))(response, received.promise);
  });
  const data: (string | undefined)[] = [];
  let error: unknown;
  try {
    const client = createBaseClient({ baseUrl: url });
    for await (const event of followEvents(watch, client, {}, { retryMs: 5, ...options })) {
      data.push(event.data);
      received.resolve();
    }
  } catch (thrown) {
    error = thrown;
  }
  return { data, sent: seen.map(({ headers }: SeenRequest) => headers["last-event-id"]?.toString()), error };
}

/** Follows with a stopped clock, within this process. Returns the milliseconds of each request, and the result. */
function followSlowly(responses: readonly (() => Response)[], options: FollowOptions = {}) {
  stopClock();
  const at: number[] = [];
  const data: (string | undefined)[] = [];
  const begun = performance.now();
  const fetch: CallOptions["fetch"] = async () => {
    at.push(performance.now() - begun);
    return responses[at.length - 1]?.() ?? new Response(null, { status: 204 });
  };
  const client = createBaseClient({ baseUrl: "http://api.test", fetch });
  const followed = (async () => {
    for await (const event of followEvents(watch, client, {}, { retryMs: 5, ...options })) data.push(event.data);
  })();
  return { followed, at, data };
}

const streamed = (body: BodyInit): Response => new Response(body, { headers: { "content-type": "text/event-stream" } });

describe("events that are followed", () => {
  test("go on after the last id, until the server has no more", async () => {
    const first = events("id: 1\ndata: a\n\nid: 2\ndata: b\n\n");
    expect(await follow([first, broken("data: c\n\nid: 3\n\n"), events("data: d\n\n")])).toEqual({
      data: ["a", "b", "c", "d"],
      sent: [undefined, "2", "3", "3"],
      error: undefined,
    });
  });

  test("begin after a stored id", async () => {
    expect((await follow([], { lastEventId: "41" })).sent).toEqual(["41"]);
  });

  test("forget the id if the server says so", async () => {
    expect((await follow([events("id: 1\ndata: a\n\n"), events("id\ndata: b\n\n")])).sent).toEqual([
      undefined,
      "1",
      undefined,
    ]);
  });

  test("go on after errors that pass", async () => {
    const reset: Answer = (response) => void response.destroy();
    const temporary = [status(503), status(502), status(504), status(429), reset];
    expect(await follow([...temporary, events("data: a\n\n")])).toMatchObject({ data: ["a"], error: undefined });
  });

  test("wait as long as the server says", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const said = followSlowly([() => streamed("retry: 200\ndata: a\n\n")]);
    await flushMicrotasks(said.followed);
    expect(said.at).toEqual([0, 200]);
    const asked = followSlowly([() => new Response(null, { status: 503, headers: { "retry-after": "1" } })]);
    await flushMicrotasks(asked.followed);
    expect(asked.at).toEqual([0, 1000]);
  });

  test("end with other errors", async () => {
    expect(await follow([events("data: a\n\n"), status(404)])).toMatchObject({ data: ["a"], error: { status: 404 } });
  });

  test("end after too many failures in a row", async () => {
    const twice = [status(503), status(503)];
    const result = await follow([...twice, events("data: a\n\n"), ...twice, status(502)], { maxAttempts: 3 });
    expect(result).toMatchObject({ data: ["a"], error: { status: 502 } });
    expect(result.sent).toHaveLength(6);
  });

  test("connect again after a timeout", async () => {
    const silent = (): Response => streamed(new ReadableStream({}));
    const { followed, data } = followSlowly([silent, () => streamed("data: a\n\n")], { timeout: 100 });
    await flushMicrotasks(followed);
    expect(data).toEqual(["a"]);
  });

  test("end at once when they are aborted, during a pause as well", async () => {
    const abort = new AbortController();
    const { signal } = abort;
    const unavailable = (): Response => new Response(null, { status: 503 });
    const { followed, at } = followSlowly([unavailable], { signal, retryMs: 30_000 });
    const error = errorOf(followed);
    await advanceClock(100);
    expect(at).toEqual([0]);
    abort.abort();
    // The clock stands still, in the pause.
    expect(await error).toMatchObject({ code: "aborted" });
  });

  test("close the connection when the loop is left", async () => {
    let close: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const { url } = await serve((response) => {
      response.on("close", () => close?.());
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: a\n\n");
    });
    for await (const event of followEvents(watch, createBaseClient({ baseUrl: url }), {})) {
      expect(event.data).toBe("a");
      break;
    }
    await closed;
  });
});
