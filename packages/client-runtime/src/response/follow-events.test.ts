import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { callOperation } from "../call-operation.js";
import { createBaseClient, type CallOptions, type Client } from "../client.js";
import { serve, type SeenRequest } from "../loopback.support.js";
import { followEvents, type FollowOptions } from "./follow-events.js";
import { asEvents, type ServerSentEvent } from "./items.js";

const watch = (client: Client, request: object, options?: CallOptions) =>
  callOperation<AsyncIterable<ServerSentEvent>>(
    client,
    { method: "GET", path: "/events", decoder: asEvents },
    request,
    options,
  );

type Answer = (response: ServerResponse) => void;

const events =
  (text: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream", ...headers }).end(text);

const broken =
  (text: string): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(text, () => setTimeout(() => response.destroy(), 20));
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
  const { url, seen } = await serve((response) => (waiting.shift() ?? status(204))(response));
  const data: (string | undefined)[] = [];
  let error: unknown;
  try {
    const client = createBaseClient({ baseUrl: url });
    for await (const event of followEvents(watch, client, {}, { retryMs: 5, ...options })) data.push(event.data);
  } catch (thrown) {
    error = thrown;
  }
  return { data, sent: seen.map(({ headers }: SeenRequest) => headers["last-event-id"]?.toString()), error };
}

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
    const answers = [status(503), status(502), status(504), status(429), broken(""), events("data: a\n\n")];
    expect(await follow(answers)).toMatchObject({ data: ["a"], error: undefined });
  });

  test("wait as long as the server says", async () => {
    const start = performance.now();
    await follow([events("retry: 200\ndata: a\n\n")]);
    expect(performance.now() - start).toBeGreaterThan(190);
    const later = performance.now();
    await follow([status(503, { "retry-after": "1" })]);
    expect(performance.now() - later).toBeGreaterThan(990);
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
    const silent: Answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    };
    expect(await follow([silent, events("data: a\n\n")], { timeout: 100 })).toMatchObject({
      data: ["a"],
      error: undefined,
    });
  });

  test("end at once when they are aborted, during a pause as well", async () => {
    const signal = AbortSignal.timeout(100);
    const start = performance.now();
    const { error } = await follow([status(503)], { signal, retryMs: 30_000 });
    expect(error).toMatchObject({ code: "aborted" });
    expect(performance.now() - start).toBeLessThan(5000);
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
