import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { asStream, bounded, call, connect } from "./index.js";
import { deferred, failureOf, send, sendJson, serve } from "./loopback.support.js";

const operation = { method: "GET", path: "/x" };

describe("a limit of response bodies", () => {
  test("allows a body of the exact size, and no byte more", async () => {
    const { url } = await serve(send(200, "application/json", '{"a":"12"}'));
    expect(await call(connect({ baseUrl: url, fetch: bounded({ bytes: 10 }) }), operation)).toEqual({ a: "12" });
    const error = await failureOf(call(connect({ baseUrl: url, fetch: bounded({ bytes: 9 }) }), operation));
    expect(error).toMatchObject({ code: "network", cause: { message: "the response has more than 9 bytes" } });
  });

  test("ends an endless body, and its connection", async () => {
    const closed = deferred();
    const { url } = await serve((reply) => {
      reply.writeHead(200, { "content-type": "application/json" });
      const more = setInterval(() => reply.write(" ".repeat(10_000)), 1);
      reply.on("close", () => {
        clearInterval(more);
        closed.resolve();
      });
    });
    const client = connect({ baseUrl: url, fetch: bounded({ bytes: 100_000 }) });
    expect(await failureOf(call(client, operation))).toMatchObject({ code: "network" });
    await closed.promise;
  });

  test("counts decompressed bytes", async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000, " "));
    const { url } = await serve((reply) => {
      reply.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed);
    });
    const client = connect({ baseUrl: url, fetch: bounded({ bytes: 1_000_000 }) });
    expect(await failureOf(call(client, operation))).toMatchObject({ code: "network" });
  });

  test.each([599, 600, 799])("keeps a status of %d", async (status) => {
    const { url } = await serve(sendJson({ reason: "odd" }, status));
    const error = await failureOf(call(connect({ baseUrl: url, fetch: bounded({ bytes: 100 }) }), operation));
    expect(error).toMatchObject({ code: "http", status, body: { reason: "odd" } });
  });

  test("works for streams, errors and responses without a body", async () => {
    const { url } = await serve((reply, { url: at }) => {
      if (at === "/empty") return send(204, undefined, "")(reply);
      sendJson({ errors: [{ reason: "long ".repeat(100) }] }, at === "/bad" ? 400 : 200)(reply);
    });
    const client = connect({ baseUrl: url, fetch: bounded({ bytes: 20 }) });
    expect(await call(client, { method: "GET", path: "/empty" })).toBeUndefined();
    expect(await failureOf(call(client, { method: "GET", path: "/bad" }))).toMatchObject({ code: "network" });
    const stream = await call<ReadableStream<Uint8Array>>(client, { ...operation, reply: asStream });
    expect(await failureOf(stream.getReader().read())).toMatchObject({ code: "network" });
  });
});
