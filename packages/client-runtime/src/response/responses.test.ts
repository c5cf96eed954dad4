import { describe, expect, test } from "vitest";
import { advanceClock, stopClock } from "../clock.support.js";
import {
  type ApiError,
  asBlob,
  asBytes,
  asStream,
  asText,
  decodeByStatus,
  callOperation,
  createBaseClient,
  type Operation,
  type ResponseDecoder,
} from "../index.js";
import { createDeferred, errorOf, send, sendJson, serve } from "../loopback.support.js";

const operation: Operation = { method: "GET", path: "/x" };
const as = (response: ResponseDecoder): Operation => ({ ...operation, decoder: response });

describe("a JSON response", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/problem+json",
    "application/vnd.api+json;charset=UTF-8",
    "APPLICATION/JSON ; x=y",
    "text/json",
    undefined,
  ])("may have the media type %s", async (type) => {
    const { url } = await serve(send(200, type, '{"a":"é"}'));
    expect(await callOperation(createBaseClient({ baseUrl: url }), operation)).toEqual({ a: "é" });
  });

  test.each([
    ["text/html", "<html>", "200 not JSON: text/html"],
    ["text/plain", "5", "200 not JSON: text/plain"],
    ["application/json-seq", "5", "200 not JSON: application/json-seq"],
    ["application/json", "{", "200 not JSON: application/json"],
    ["application/json", new Uint8Array([0x22, 0xff, 0x22]), "200 not JSON: application/json"],
    [undefined, "hello", "200 not JSON: body"],
  ])("of type %s that is not JSON has a decode error", async (type, body, message) => {
    const { url } = await serve(send(200, type, body));
    const error = await errorOf(callOperation(createBaseClient({ baseUrl: url }), operation));
    expect(error).toMatchObject({ code: "decode", status: 200, message: `GET ${url}/x: ${message}` });
    expect((error as ApiError).body).toBe(typeof body === "string" ? body : '"\ufffd"');
    expect(error.cause).toBeUndefined();
  });

  test("does not reach prototypes", async () => {
    const { url } = await serve(send(200, "application/json", '{"__proto__":{"admin":true}}'));
    const value = await callOperation<Record<string, unknown>, never>(createBaseClient({ baseUrl: url }), operation);
    expect([Object.keys(value), value["admin"], ({} as Record<string, unknown>)["admin"]]).toEqual([
      ["__proto__"],
      undefined,
      undefined,
    ]);
  });
});

describe("a response is decoded by its status", () => {
  const response = decodeByStatus({ 200: "json", 202: asText, "2XX": asBlob });

  test.each([
    [200, "application/json", "12", 12],
    [202, "text/plain", "12", "12"],
    [201, "text/csv", "12", new Blob(["12"], { type: "text/csv" })],
  ])("%s as %s", async (status, type, body, expected) => {
    const { url } = await serve(send(status, type, body));
    expect(await callOperation(createBaseClient({ baseUrl: url }), as(response))).toEqual(expected);
  });

  test("as JSON by default", async () => {
    const { url } = await serve(send(201, "application/json", "12"));
    expect(await callOperation(createBaseClient({ baseUrl: url }), as(decodeByStatus({ 202: asText })))).toBe(12);
  });

  test("and has a decode error if it is not JSON", async () => {
    const { url } = await serve(send(200, "text/plain", "12"));
    expect(await errorOf(callOperation(createBaseClient({ baseUrl: url }), as(response)))).toMatchObject({
      code: "decode",
      status: 200,
    });
  });
});

describe("a response without a body is undefined", () => {
  test.each([
    [200, "GET", "application/json"],
    [204, "GET", undefined],
    [205, "GET", undefined],
    [200, "HEAD", "application/json"],
  ])("%i to %s", async (status, method, type) => {
    const { url } = await serve(send(status, type, ""));
    const client = createBaseClient({ baseUrl: url });
    expect(await callOperation(client, { method, path: "/x" })).toBeUndefined();
  });

  test("204 also if text, bytes, a blob or a stream is expected", async () => {
    const { url } = await serve(send(204, undefined, ""));
    for (const response of [asText, asBlob, asBytes, asStream])
      expect(await callOperation(createBaseClient({ baseUrl: url }), as(response))).toBeUndefined();
  });

  test("but 304 is an error: it has nothing of the promised type", async () => {
    const { url } = await serve(send(304, undefined, ""));
    const error = await errorOf(callOperation(createBaseClient({ baseUrl: url }), operation));
    expect([(error as ApiError).status, (error as ApiError).body, error.message]).toEqual([
      304,
      undefined,
      `GET ${url}/x: 304 Not Modified`,
    ]);
  });
});

describe("an error response", () => {
  test.each([
    [502, "text/html", "<h1>Bad</h1>", "<h1>Bad</h1>", "502 Bad Gateway"],
    [500, "application/json", "{", "{", "500 Internal Server Error"],
    [404, "text/plain", "404", "404", "404 Not Found"],
    [400, "application/problem+json", '{"title":"Bad"}', { title: "Bad" }, "400 Bad"],
    [400, "application/json", "null", null, "400 Bad Request"],
    [400, "application/json", '{"errors":"x"}', { errors: "x" }, "400 x"],
    [
      400,
      "application/json",
      '{"errors":[null,5,{"reason":5},{"reason":"r","field":null}]}',
      expect.anything(),
      "400 r",
    ],
    [503, undefined, "", undefined, "503 Service Unavailable"],
  ])("%i %s %s", async (status, type, sent, body, message) => {
    const { url } = await serve(send(status, type, sent));
    for (const each of [operation, as(asText)]) {
      const error = await errorOf(callOperation(createBaseClient({ baseUrl: url }), each));
      expect(error).toMatchObject({ code: "http", status, message: `GET ${url}/x: ${message}` });
      expect((error as ApiError).body).toEqual(body);
    }
  });

  test.each([
    [4096, 4096],
    [4097, 4096],
  ])("of %i characters keeps %i of them", async (length, kept) => {
    const { url } = await serve(send(502, "text/plain", "x".repeat(length)));
    expect(((await errorOf(callOperation(createBaseClient({ baseUrl: url }), operation))) as ApiError).body).toBe(
      "x".repeat(kept),
    );
  });
});

describe("other kinds of bodies", () => {
  test("text, which has to be valid UTF-8", async () => {
    const { url } = await serve(send(200, "text/plain", "é"));
    expect(await callOperation(createBaseClient({ baseUrl: url }), as(asText))).toBe("é");
    const { url: broken } = await serve(send(200, "text/plain", new Uint8Array([0xff])));
    const error = await errorOf(callOperation(createBaseClient({ baseUrl: broken }), as(asText)));
    expect(error).toMatchObject({
      code: "decode",
      status: 200,
      message: `GET ${broken}/x: 200 response is malformed UTF-8`,
    });
  });

  test("an empty text", async () => {
    const { url } = await serve(send(200, "text/plain", ""));
    expect(await callOperation(createBaseClient({ baseUrl: url }), as(asText))).toBe("");
  });

  test("bytes and a blob", async () => {
    const { url } = await serve(send(200, "image/png", new Uint8Array([1, 2, 255])));
    expect(await callOperation(createBaseClient({ baseUrl: url }), as(asBytes))).toEqual(new Uint8Array([1, 2, 255]));
    const blob = await callOperation<Blob, never>(createBaseClient({ baseUrl: url }), as(asBlob));
    expect([blob.type, blob.size]).toEqual(["image/png", 3]);
  });
});

/** A fetch that ignores signals, with an endless body. */
async function deaf(): Promise<Response> {
  return new Response(new ReadableStream({}));
}

describe("a stream", () => {
  test("arrives chunk by chunk", async () => {
    const read = createDeferred();
    const { url } = await serve((response) => {
      response.write("a");
      void read.promise.then(() => response.end("b"));
    });
    const stream = await callOperation<ReadableStream<Uint8Array>, never>(
      createBaseClient({ baseUrl: url }),
      as(asStream),
    );
    const pieces: string[] = [];
    for await (const piece of stream) {
      pieces.push(new TextDecoder().decode(piece));
      read.resolve();
    }
    expect(pieces).toEqual(["a", "b"]);
  });

  test("that stalls ends with the timeout of the call", async () => {
    const { url } = await serve((response) => void response.write("a"));
    // The connection is real. The clock is stopped until the response has started.
    stopClock();
    const stream = await callOperation<ReadableStream<Uint8Array>, never>(
      createBaseClient({ baseUrl: url, timeout: 50 }),
      as(asStream),
    );
    const failure = errorOf(new Response(stream).text());
    await advanceClock(50);
    expect(await failure).toMatchObject({ code: "timeout", status: 0 });
  });

  test("ends when its signal aborts, even if fetch ignores signals", async () => {
    const { url } = await serve((response) => void response.write("a"));
    for (const fetch of [undefined, deaf]) {
      const abort = new AbortController();
      const stream = await callOperation<ReadableStream<Uint8Array>, never>(
        createBaseClient({ baseUrl: url, fetch }),
        as(asStream),
        {},
        { signal: abort.signal },
      );
      abort.abort("enough");
      expect(await errorOf(new Response(stream).text())).toMatchObject({ code: "aborted", cause: "enough" });
    }
  });

  test("that ends early has the error of a call", async () => {
    const begun = createDeferred();
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-length": "10" }).write("a");
      void begun.promise.then(() => response.destroy());
    });
    const stream = await callOperation<ReadableStream<Uint8Array>, never>(
      createBaseClient({ baseUrl: url }),
      as(asStream),
    );
    begun.resolve();
    expect(await errorOf(new Response(stream).text())).toMatchObject({ code: "network", status: 0 });
  });

  test("closes the connection when it is cancelled", async () => {
    const closed = createDeferred();
    const { url } = await serve((response) => {
      response.on("close", closed.resolve).write("a");
    });
    const stream = await callOperation<ReadableStream<Uint8Array>, never>(
      createBaseClient({ baseUrl: url }),
      as(asStream),
    );
    await stream.cancel();
    await closed.promise;
  });
});

test("a buffered body that ends early is a network error", async () => {
  let begun = createDeferred();
  const { url } = await serve((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "10" }).write("{");
    begun = createDeferred();
    void begun.promise.then(() => response.destroy());
  });
  const client = createBaseClient({ baseUrl: url, onResponse: () => begun.resolve() });
  for (const each of [operation, as(asText)])
    expect(await errorOf(callOperation(client, each))).toMatchObject({
      code: "network",
      status: 0,
      headers: undefined,
      message: `GET ${url}/x: UND_ERR_SOCKET`,
    });
});

test("the request id and headers of the response are kept", async () => {
  const { url } = await serve(sendJson({}, 500, { "X-Request-Id": "abc", "Retry-After": "3" }));
  const error = (await errorOf(callOperation(createBaseClient({ baseUrl: url }), operation))) as ApiError;
  expect([error.requestId, error.headers?.get("retry-after")]).toEqual(["abc", "3"]);
});
