import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { advanceClock, stopClock, until } from "./clock.support.js";
import { createBaseClient, upload, type UploadBody, type UploadProgress } from "./index.js";
import { createDeferred, errorOf, send, sendJson, serve, type SeenRequest } from "./loopback.support.js";

const operation = { method: "PUT", mediaType: "application/octet-stream" };
const bytes = new TextEncoder().encode("some data");

/** A client with everything that an upload must not send. */
function keeper(baseUrl: string) {
  return createBaseClient({
    baseUrl,
    token: "secret-token",
    headers: { "x-key": "secret-key" },
    authorize: ({ headers }) => headers.set("x-more", "secret-more"),
    onRequest: ({ headers }) => headers.set("x-hook", "secret-hook"),
    timeout: 1,
  });
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (const piece of ["some", " ", "data"]) yield new TextEncoder().encode(piece);
}

describe("an upload", () => {
  const bodies: readonly (readonly [string, () => UploadBody, string | undefined])[] = [
    ["a Blob", () => new Blob([bytes]), "9"],
    ["bytes", () => bytes, "9"],
    ["a buffer", () => bytes.buffer, "9"],
    ["a stream", () => new Blob([bytes]).stream(), undefined],
    ["a stream of Node's", () => Readable.from(["some ", "data"].map((each) => Buffer.from(each))), undefined],
    ["pieces", pieces, undefined],
  ];

  test.each(bodies)("sends %s", async (_, body, length) => {
    const { url, seen } = await serve();
    expect(await upload(keeper("http://127.0.0.1:2"), operation, { to: `${url}/up?key=1`, body: body() })).toEqual({});
    expect(seen).toMatchObject([
      { method: "PUT", url: "/up?key=1", body: "some data", headers: { "content-type": "application/octet-stream" } },
    ]);
    expect(seen[0]?.headers["content-length"]).toBe(length);
  });

  test.each(bodies)("reports the progress of %s", async (_, body, length) => {
    const { url, seen } = await serve();
    const reported: UploadProgress[] = [];
    await upload(keeper(url), operation, { to: url, body: body() }, { onProgress: (each) => void reported.push(each) });
    expect(reported.at(-1)).toEqual({ sent: 9, total: length === undefined ? undefined : 9 });
    expect([seen[0]?.body, seen[0]?.headers["content-length"]]).toEqual(["some data", length]);
  });

  test("sends the size of a stream if known, and fails if it differs", async () => {
    const { url, seen } = await serve();
    await upload(keeper(url), operation, { to: url, body: pieces() }, { size: 9 });
    expect(seen[0]?.headers).toMatchObject({ "content-length": "9" });
    expect(await errorOf(upload(keeper(url), operation, { to: url, body: pieces() }, { size: 8 }))).toMatchObject({
      code: "network",
    });
  });

  test("does not buffer a complete stream", async () => {
    const { url } = await serve();
    let ahead = 0;
    let most = 0;
    async function* many(): AsyncGenerator<Uint8Array> {
      for (let piece = 0; piece < 500; piece++) {
        most = Math.max(most, ++ahead);
        yield new Uint8Array(10_000);
      }
    }
    await upload(keeper(url), operation, { to: url, body: many() }, { onProgress: () => ahead-- });
    expect(most).toBe(1);
  });

  test("sends none of the client's headers and credentials, and has only the URL's origin in errors", async () => {
    const { url, seen } = await serve(sendJson({ errors: [{ reason: "closed" }] }, 404));
    const to = `${url}/up/secret-path?key=secret-query`;
    const error = await errorOf(upload(keeper(url), operation, { to, body: bytes }));
    expect(error).toMatchObject({ status: 404, message: `PUT ${url}: 404 closed` });
    expect(JSON.stringify((seen[0] as SeenRequest).headers)).not.toContain("secret");
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain("secret");
  });

  test("follows no redirects", async () => {
    const other = await serve();
    const { url } = await serve((response) => response.writeHead(307, { location: other.url }).end());
    const error = await errorOf(upload(keeper(url), operation, { to: `${url}/secret`, body: bytes }));
    expect([error.message, other.seen]).toEqual([`PUT ${url}: no response`, []]);
  });

  test("accepts a URL within the API, and only HTTP URLs", async () => {
    const { url, seen } = await serve();
    await upload(keeper(`${url}/v4`), operation, { to: "/up/5", body: bytes });
    expect(seen[0]?.url).toBe("/up/5");
    for (const to of ["ftp://127.0.0.1/", "http://ann:secret@127.0.0.1/", "http://", "javascript:secret"]) {
      const error = await errorOf(upload(keeper(url), operation, { to, body: bytes }));
      expect(error).toMatchObject({ code: "request", message: "PUT : URL cannot be sent" });
    }
  });

  test("ends with its signal and its timeout, and stops reading the source then", async () => {
    const abort = new AbortController();
    const { signal } = abort;
    const { url } = await serve(() => abort.abort());
    expect(await errorOf(upload(keeper(url), operation, { to: url, body: bytes }, { signal }))).toMatchObject({
      code: "aborted",
    });
    stopClock();
    const begun = createDeferred();
    let isLeft = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (; ; await new Promise(setImmediate)) {
          yield bytes;
          begun.resolve();
        }
      } finally {
        isLeft = true;
      }
    }
    const error = errorOf(upload(keeper(url), operation, { to: url, body: endless() }, { timeout: 50 }));
    await begun.promise;
    await advanceClock(50);
    expect(await error).toMatchObject({ code: "timeout" });
    await until(() => isLeft);
  });

  test.each(["the timeout", "a reset", "an early response"])("ends its source after %s", async (what) => {
    stopClock();
    let arrived = createDeferred();
    const server = createServer((request, response) => {
      request.once("data", () => {
        if (what === "a reset") request.socket.resetAndDestroy();
        if (what === "an early response") response.writeHead(413).end();
        arrived.resolve();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const left: string[] = [];
    const hanging = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes),
      pull: () => new Promise<void>(() => {}),
      cancel: () => void left.push("a stream that waits"),
    });
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (; ; await new Promise(setImmediate)) yield bytes;
      } finally {
        left.push("pieces without end");
      }
    }
    for (const body of [hanging, endless()]) {
      arrived = createDeferred();
      const error = errorOf(upload(keeper(to), operation, { to, body }, { timeout: 100 }));
      await arrived.promise;
      if (what === "the timeout") await advanceClock(100);
      await error;
    }
    await until(() => left.length === 2);
    expect(left).toEqual(["a stream that waits", "pieces without end"]);
  });

  test("fails with the error of its source or of onProgress", async () => {
    const { url } = await serve();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes;
      throw new Error("the disk is gone");
    }
    const error = await errorOf(upload(keeper(url), operation, { to: url, body: broken() }));
    expect(error.message).toBe("the disk is gone");
    const reported = upload(
      keeper(url),
      operation,
      { to: url, body: pieces() },
      {
        onProgress() {
          throw new Error("without a listener");
        },
      },
    );
    expect((await errorOf(reported)).message).toBe("without a listener");
    const body = new Blob([bytes]).stream();
    body.getReader();
    expect(await errorOf(upload(keeper(url), operation, { to: url, body }))).toBeInstanceOf(TypeError);
  });

  test("returns undefined for an empty response", async () => {
    const { url } = await serve(send(201, undefined, ""));
    expect(await upload(keeper(url), operation, { to: url, body: bytes })).toBeUndefined();
  });
});
