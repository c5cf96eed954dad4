import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { advanceClock, stopClock } from "../clock.support.js";
import {
  asEvents,
  asJsonLines,
  callOperation,
  createBaseClient,
  type Operation,
  type ResponseDecoder,
} from "../index.js";
import { createDeferred, errorOf, send, serve } from "../loopback.support.js";

type Items = AsyncIterable<unknown>;

async function items(decoder: ResponseDecoder, type: string, body: string | Uint8Array): Promise<Items> {
  const { url } = await serve(send(200, type, body));
  const operation: Operation = { method: "GET", path: "/x", decoder };
  return callOperation<Items, never>(createBaseClient({ baseUrl: url }), operation);
}

async function collect(from: Items): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const item of from) found.push(item);
  return found;
}

describe("items of JSON", () => {
  test.each([
    ["nothing", "", []],
    ["lines", '{"a":1}\n"é"\nnull\n', [{ a: 1 }, "é", null]],
    ["a last line without an end", "1\r\n\n2", [1, 2]],
    ["a text sequence", '\u001e{"a":\u001e1}\n\u001e2\n'.replace("\u001e1", "1"), [{ a: 1 }, 2]],
  ])("are %s", async (_, body, expected) => {
    expect(await collect(await items(asJsonLines, "application/jsonl", body))).toEqual(expected);
  });

  test("end with a decode error where one is malformed", async () => {
    const from = await items(asJsonLines, "application/jsonl", '1\n{"a"\n');
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const item of from) seen.push(item);
    })();
    expect(await errorOf(reading)).toMatchObject({ code: "decode", status: 200, body: '{"a"' });
    expect(seen).toEqual([1]);
  });

  test("arrive before the end of the response, and leaving the loop closes the connection", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const first = createDeferred();
    const { url } = await serve((response) => {
      closed = new Promise((resolve) => response.once("close", resolve));
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      const bytes = Buffer.from('1\n"é"\n2');
      response.write(bytes.subarray(0, 4)); // within a character
      void first.promise.then(() => response.write(bytes.subarray(4)));
    });
    const operation: Operation = { method: "GET", path: "/x", decoder: asJsonLines };
    const from = await callOperation<Items, never>(createBaseClient({ baseUrl: url }), operation);
    const seen: unknown[] = [];
    for await (const item of from) {
      seen.push(item);
      first.resolve();
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([1, "é"]);
    await closed;
  });

  test("fail with the timeout of the call", async () => {
    const { url } = await serve((response) => void response.writeHead(200).write("1\n"));
    stopClock();
    const operation: Operation = { method: "GET", path: "/x", decoder: asJsonLines };
    const client = createBaseClient({ baseUrl: url, timeout: 200 });
    const from = await callOperation<Items, never>(client, operation);
    const reading = from[Symbol.asyncIterator]();
    expect(await reading.next()).toMatchObject({ value: 1 });
    const error = errorOf(reading.next());
    await advanceClock(200);
    expect(await error).toMatchObject({ code: "timeout" });
  });
});

describe("server-sent events", () => {
  test.each([
    ["nothing", "", []],
    ["data", "data: a\n\ndata:b\n\n", [{ data: "a" }, { data: "b" }]],
    ["data of several lines", "data: a\ndata: \ndata:  c\n\n", [{ data: "a\n\n c" }]],
    [
      "other fields",
      ": a comment\nevent: done\nid: 7\nretry: 10\nodd: 1\ndata\n\n",
      [{ event: "done", id: "7", retry: 10, data: "" }],
    ],
    ["without data, which count as nothing", "event: a\n\nretry: soon\ndata: b\n\n", [{ data: "b" }]],
    ["with any line end", "data: a\r\n\r\ndata: b\r\rdata: c\n\n", [{ data: "a" }, { data: "b" }, { data: "c" }]],
    ["without the last, which is unfinished", "data: a\n\ndata: b\n", [{ data: "a" }]],
  ])("are %s", async (_, body, expected) => {
    expect(await collect(await items(asEvents, "text/event-stream", body))).toEqual(expected);
  });

  test.each([1, 2, 3])("are the same in chunks of %i bytes", async (size) => {
    const bytes = Buffer.from("data: é\r\n\r\ndata: b\r\rdata: c\n\n");
    const sendChunks = async (response: ServerResponse): Promise<void> => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        await new Promise(setImmediate);
      }
      response.end();
    };
    const { url } = await serve((response) => void sendChunks(response));
    const operation: Operation = { method: "GET", path: "/x", decoder: asEvents };
    const from = await callOperation<Items, never>(createBaseClient({ baseUrl: url }), operation);
    expect(await collect(from)).toEqual([{ data: "é" }, { data: "b" }, { data: "c" }]);
  });
});
