import { describe, expect, it, onTestFinished } from "vitest";
import type { AdapterServer } from "../../listen.support.js";
import { createAdapterApi, oneMegabyte, type AdapterApi } from "./adapter-api.support.js";
import { adapterNames, adapters, type AdapterName } from "./adapters.support.js";
import { chunk, head, request, connectRaw, type RawConnection } from "./raw-http.support.js";

interface Started {
  readonly api: AdapterApi;
  readonly host: AdapterServer;
  readonly wire: RawConnection;
}

const isWeb = (name: AdapterName): boolean => name === "hono" || name === "fetch";
const chunked = "Transfer-Encoding: chunked";
const ab = (length: number): string => "ab".repeat(length / 2) + "c".repeat(length % 2);

describe.each(adapterNames)("%s", (name) => {
  const start = async (): Promise<Started> => {
    const api = createAdapterApi();
    const host = await adapters[name](api);
    onTestFinished(host.close);
    return { api, host, wire: connectRaw(host.port) };
  };

  it.each([
    ["no bytes", "", 200],
    ["some", "naïve ✓", 200],
    ["as many as may be", ab(100), 200],
    ["one more", ab(101), 413],
    ["many more", ab(oneMegabyte), 413],
  ])("has all bytes at once: %s", async (_, text, status) => {
    const { host } = await start();
    const expected = { status, body: status === 200 ? text : "too large" };
    const declared = connectRaw(host.port);
    declared.send(request("POST /v4/echo", text));
    expect(await declared.answer()).toMatchObject(expected);
    const half = Math.ceil(text.length / 2);
    const pieces = [text.slice(0, half), text.slice(half)].filter((piece) => piece !== "");
    const undeclared = connectRaw(host.port);
    undeclared.send(head("POST /v4/echo", chunked), ...pieces.map(chunk), "0\r\n\r\n");
    expect(await undeclared.answer()).toMatchObject(expected);
  });

  it.each([
    ["no bytes", 0, "0"],
    ["as many as may be", 100, "100"],
    ["one more", 101, "too large"],
    ["many more", oneMegabyte, "too large"],
  ])("streams bytes: %s", async (_, length, body) => {
    const { api, host } = await start();
    const declared = connectRaw(host.port);
    declared.send(request("POST /v4/small", ab(length)));
    expect(await declared.answer()).toMatchObject({ body });
    const undeclared = connectRaw(host.port);
    undeclared.send(head("POST /v4/small", chunked), ...(length === 0 ? [] : [chunk(ab(length))]), "0\r\n\r\n");
    expect(await undeclared.answer()).toMatchObject({ body });
    const said = "small: The body has more than 100 bytes.";
    expect(api.diary).toEqual(body === "too large" ? [said, said] : []);
  });

  it("responds with the bytes of a request while they arrive", async () => {
    const { wire } = await start();
    wire.send(head("POST /v4/pipe", chunked), chunk("one, "));
    while (!(await wire.begin()).includes("one, ")) await nextIteration();
    wire.send(chunk("two"), "0\r\n\r\n");
    expect(await wire.answer()).toMatchObject({ status: 200, body: "one, two" });
    wire.send(request("GET /v4/text"));
    expect(await wire.answer()).toMatchObject({ status: 200 });
  });

  it("stops a sender whose bytes are not read", async () => {
    const { api, host, wire } = await start();
    const came = bytesRead(host);
    const total = 50 * oneMegabyte;
    wire.send(head("POST /v4/held", `Content-Length: ${total}`));
    const sending = sendAll(wire, total);
    await api.written("held: begun");
    // Time enough for all bytes, if the server read them.
    for (let index = 0; index < 100; index += 1) {
      const other = connectRaw(host.port);
      other.send(request("GET /v4/text"));
      await other.answer();
      other.socket.destroy();
    }
    expect(came()).toBeLessThan(oneMegabyte);
    api.open();
    expect(await wire.answer()).toMatchObject({ body: String(total) });
    expect(await sending).toBe(total);
  });

  it.each(["early", "early-stream", "first", "stops", "forgets", "echo"])(
    "continues after a response to a request that is still arriving, if the body may be needed: %s",
    async (path) => {
      const { wire } = await start();
      wire.send(head(`POST /v4/${path}`, "Content-Length: 300"), ab(150));
      // Does not wait for bytes over a limit, nor for unneeded ones.
      const { body, headers } = await wire.answer();
      expect(body).toBe({ first: ab(150), stops: ab(150), forgets: ab(150), echo: "too large" }[path] ?? "no");
      // A reader might continue. Web runtimes decide by themselves.
      const continues = isWeb(name) || path === "stops" || path === "forgets";
      expect(headers["connection"]).toBe(continues ? "keep-alive" : "close");
      wire.send(ab(150));
      if (!continues) return wire.closed;
      wire.send(request("GET /v4/text"));
      expect(await wire.answer()).toMatchObject({ status: 200, body: "naïve ✓" });
    },
  );

  it.each(["early", "early-stream", "first", "stops", "echo", "small"])(
    "responds to a client that sends very much: %s",
    async (path) => {
      const { wire } = await start();
      const total = 400 * oneMegabyte;
      wire.send(head(`POST /v4/${path}`, `Content-Length: ${total}`));
      const sending = sendAll(wire, total);
      const { status, headers } = await wire.answer();
      expect(status).toBe({ first: 200, stops: 200, echo: 413, small: 413 }[path] ?? 403);
      // Web runtimes close the connection after a while, each in its own way.
      if (isWeb(name)) wire.socket.destroy();
      // A reader might continue.
      else expect(headers["connection"]).toBe(path === "stops" ? "keep-alive" : "close");
      await wire.closed;
      expect(await sending).toBeLessThan(total);
    },
  );

  it.each(["early", "echo", "small"])("responds to a client that never declares a length: %s", async (path) => {
    const { wire } = await start();
    const total = 400 * oneMegabyte;
    wire.send(head(`POST /v4/${path}`, chunked));
    const sending = sendAll(wire, total, chunk("a".repeat(65_536)));
    expect((await wire.answer()).body).toBe(path === "early" ? "no" : "too large");
    if (isWeb(name)) wire.socket.destroy();
    await wire.closed;
    expect(await sending).toBeLessThan(total);
  });

  const lateReaders: readonly (readonly [string, string, string])[] = [
    ["a text", "early", "no"],
    // Other runtimes read no more while they send a stream.
    ...(isWeb(name) ? [] : [["a stream that stays", "silent", "begun"] as const]),
  ];

  it.each(lateReaders)(
    "responds to a client that reads only after it has sent everything: %s",
    async (_, path, said) => {
      const { wire } = await start();
      const total = 12 * oneMegabyte;
      wire.socket.pause();
      wire.send(head(`POST /v4/${path}`, chunked));
      expect(await sendAll(wire, total, chunk("a".repeat(65_536)))).toBe(total);
      wire.socket.resume();
      while (!(await wire.begin()).includes(said)) await nextIteration();
    },
  );

  it("reports to the reader of a body that the response was sent", async () => {
    const { api, wire } = await start();
    wire.send(head("POST /v4/forgets", "Content-Length: 4"), "ab");
    expect((await wire.answer()).body).toBe("ab");
    // Other runtimes may pass on what they discard.
    if (!isWeb(name)) await api.written("forgets: reported");
    wire.send("cd", request("GET /v4/text"));
    expect(await wire.answer()).toMatchObject({ status: 200 });
  });

  it("responds with 100 to a client that expects it", async () => {
    const { wire } = await start();
    wire.send(head("POST /v4/echo", "Content-Length: 3", "Expect: 100-continue"));
    expect(await wire.answer()).toMatchObject({ status: 100 });
    wire.send("abc");
    expect(await wire.answer()).toMatchObject({ status: 200, body: "abc" });
  });

  it.each([
    ["all bytes", "echo", "echo: broke off"],
    ["bytes as they come", "small", "small: broke off"],
  ])("reports to the reader of %s that the client disconnected", async (_, path, entry) => {
    const { api, host, wire } = await start();
    wire.send(head(`POST /v4/${path}`, "Content-Length: 50"), "a");
    await turns(host);
    wire.socket.destroy();
    await api.written(entry);
    await turns(host);
  });
});

describe.each(["node", "express", "fastify"] as const)("%s", (name) => {
  it("does not pass on what it discards", async () => {
    const api = createAdapterApi();
    const host = await adapters[name](api);
    onTestFinished(host.close);
    const wire = connectRaw(host.port);
    wire.send(head("POST /v4/small", "Content-Length: 300"), ab(300), request("GET /v4/text"));
    expect([(await wire.answer()).status, (await wire.answer()).status]).toEqual([413, 200]);
    expect(api.diary).toEqual(["small: The body has more than 100 bytes."]);
  });
});

/** Sends with back-pressure, and counts the bytes until the other side stopped reading. */
async function sendAll({ socket }: RawConnection, total: number, piece = "a".repeat(65_536)): Promise<number> {
  let sent = 0;
  let wake = (): void => {};
  socket.on("drain", () => wake());
  socket.on("close", () => wake());
  while (sent < total && !socket.closed) {
    const length = Math.min(piece.length, total - sent);
    sent += length;
    if (!socket.write(piece.slice(0, length))) await new Promise<void>((resolve) => (wake = resolve));
  }
  return sent;
}

/** The bytes that the server has read from the first connection. */
function bytesRead({ server }: AdapterServer): () => number {
  let read = (): number => 0;
  server.once("connection", (socket) => (read = () => socket.bytesRead));
  return () => read();
}

async function nextIteration(): Promise<void> {
  await new Promise(setImmediate);
}

/** The server handles other requests, and had time for earlier ones. */
async function turns({ port }: AdapterServer): Promise<void> {
  for (let index = 0; index < 3; index += 1) {
    const wire = connectRaw(port);
    wire.send(request("GET /v4/text"));
    expect(await wire.answer()).toMatchObject({ status: 200 });
    wire.socket.destroy();
  }
}
