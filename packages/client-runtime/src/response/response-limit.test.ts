import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { asStream, withResponseLimit, callOperation, createBaseClient } from "../index.js";
import { createDeferred, errorOf, send, sendJson, serve } from "../loopback.support.js";

const operation = { method: "GET", path: "/x" };

describe("a limit of response bodies", () => {
  test("allows a body of the exact size, and no byte more", async () => {
    const { url } = await serve(send(200, "application/json", '{"a":"12"}'));
    expect(
      await callOperation(createBaseClient({ baseUrl: url, fetch: withResponseLimit({ maxBytes: 10 }) }), operation),
    ).toEqual({ a: "12" });
    const error = await errorOf(
      callOperation(createBaseClient({ baseUrl: url, fetch: withResponseLimit({ maxBytes: 9 }) }), operation),
    );
    expect(error).toMatchObject({ code: "network", cause: { message: "the response has more than 9 bytes" } });
  });

  test("ends an endless body, and its connection", async () => {
    const closed = createDeferred();
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = setInterval(() => response.write(" ".repeat(10_000)), 1);
      response.on("close", () => {
        clearInterval(more);
        closed.resolve();
      });
    });
    const client = createBaseClient({ baseUrl: url, fetch: withResponseLimit({ maxBytes: 100_000 }) });
    expect(await errorOf(callOperation(client, operation))).toMatchObject({ code: "network" });
    await closed.promise;
  });

  test("counts decompressed bytes", async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000, " "));
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed);
    });
    const client = createBaseClient({ baseUrl: url, fetch: withResponseLimit({ maxBytes: 1_000_000 }) });
    expect(await errorOf(callOperation(client, operation))).toMatchObject({ code: "network" });
  });

  test.each([599, 600, 799])("keeps a status of %d", async (status) => {
    const { url } = await serve(sendJson({ reason: "odd" }, status));
    const error = await errorOf(
      callOperation(createBaseClient({ baseUrl: url, fetch: withResponseLimit({ maxBytes: 100 }) }), operation),
    );
    expect(error).toMatchObject({ code: "http", status, body: { reason: "odd" } });
  });

  test("works for streams, errors and responses without a body", async () => {
    const { url } = await serve((response, { url: at }) => {
      if (at === "/empty") return send(204, undefined, "")(response);
      sendJson({ errors: [{ reason: "long ".repeat(100) }] }, at === "/bad" ? 400 : 200)(response);
    });
    const client = createBaseClient({ baseUrl: url, fetch: withResponseLimit({ maxBytes: 20 }) });
    expect(await callOperation(client, { method: "GET", path: "/empty" })).toBeUndefined();
    expect(await errorOf(callOperation(client, { method: "GET", path: "/bad" }))).toMatchObject({ code: "network" });
    const stream = await callOperation<ReadableStream<Uint8Array>>(client, { ...operation, decoder: asStream });
    expect(await errorOf(stream.getReader().read())).toMatchObject({ code: "network" });
  });
});
