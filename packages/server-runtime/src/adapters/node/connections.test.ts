import { describe, expect, it } from "vitest";
import { ann, startLimitedServer, until, type LimitedServer } from "../limited-server.support.js";
import { adapterNames, type AdapterName } from "../adapters.support.js";
import { defaultMaxConnections } from "./open-files.js";
import { protectServer, type ConnectionOptions } from "./protect-server.js";
import { request, type RawConnection } from "../raw-http.support.js";

const lines = { getPage: "GET /pages/{page}", addPage: "POST /pages" };
const page = request("GET /v1/pages/1", undefined, ann);

interface Started {
  readonly wire: () => RawConnection;
  /** Responses that handlers delay. */
  readonly waiting: (() => void)[];
}

async function start(name: AdapterName, options: ConnectionOptions, body: unknown = {}): Promise<Started> {
  const waiting: (() => void)[] = [];
  const api: LimitedServer = startLimitedServer(
    { lines },
    {
      getPage: async (input) => {
        if ((input as { readonly path: { readonly page: number } }).path.page === 0)
          await new Promise<void>((resolve) => waiting.push(resolve));
        return { status: 200, body };
      },
      addPage: () => ({ status: 200, body: {} }),
    },
  );
  const { server, wire } = await api.listen(name);
  protectServer(server, api.server, options);
  return { wire, waiting };
}

async function ask(wire: RawConnection): Promise<number> {
  wire.send(page);
  return (await wire.answer()).status;
}

describe.each(adapterNames)("%s, at its limit of connections", (name) => {
  it("closes the connection that is idle for the longest time", async () => {
    const { wire } = await start(name, { maxConnections: 3 });
    const [first, second, third] = [wire(), wire(), wire()];
    for (const each of [first, second, third, first]) expect(await ask(each)).toBe(200);
    const fourth = wire();
    expect(await ask(fourth)).toBe(200);
    await second.closed;
    for (const each of [first, third, fourth]) expect(await ask(each)).toBe(200);
  });

  it("closes one with an incomplete head, and never one with a running request", async () => {
    const { wire, waiting } = await start(name, { maxConnections: 2 });
    const [busy, half] = [wire(), wire()];
    busy.send(request("GET /v1/pages/0", undefined, ann));
    await until(() => waiting.length === 1);
    half.send("GET /v1/pages/1 HTTP/1.1\r\nHost: a");
    const third = wire();
    expect(await ask(third)).toBe(200);
    await half.closed;
    third.send(request("GET /v1/pages/0", undefined, ann));
    await until(() => waiting.length === 2);
    await wire().closed;
    for (const finish of waiting) finish();
    expect([await busy.answer(), await third.answer()]).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  it("closes a connection whose client does not read its response", async () => {
    const { wire } = await start(name, { responseTimeoutMs: 50 }, { text: "a".repeat(16_777_216) });
    const unread = wire();
    unread.send(page);
    unread.socket.pause();
    // The client notices when it sends.
    await until(() => {
      unread.send("\r\n");
      return unread.socket.destroyed;
    });
  });
});

describe.each(adapterNames)("%s, for input to which Node itself responds", (name) => {
  it.each([
    ["no HTTP", "what is this?\r\n\r\n", 400, "The request is not valid HTTP"],
    [
      "a head that is too large",
      request("GET /v1/pages/1", undefined, `X: ${"x".repeat(20_000)}`),
      431,
      "The headers are too large",
    ],
    ["no Host header", "GET /v1/pages/1 HTTP/1.1\r\n\r\n", 400, "A request must have exactly one Host header"],
    [
      "two Host headers",
      request("GET /elsewhere", undefined, "Host: a"),
      400,
      "A request must have exactly one Host header",
    ],
    ["an expectation", request("POST /v1/pages", "{}", "Expect: more"), 417, "The expectation cannot be met"],
    ["CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "The method is not allowed"],
  ] as const)("responds with the API's error body: %s", async (_, text, status, reason) => {
    const { wire } = await start(name, {});
    const odd = wire();
    odd.send(text);
    const { headers, body, ...answer } = await odd.answer();
    expect(answer.status).toBe(status);
    expect(headers).toMatchObject({ "content-type": "application/json", connection: "close", "x-request-id": "r" });
    expect(headers["allow"]).toBe(status === 405 ? "GET, POST, OPTIONS" : undefined);
    expect(JSON.parse(body)).toEqual({ errors: [{ reason }] });
    await odd.closed;
  });

  it("responds to the earlier request first", async () => {
    const { wire, waiting } = await start(name, {});
    const odd = wire();
    odd.send(`${request("GET /v1/pages/0", undefined, ann)}what is this?\r\n\r\n`);
    await until(() => waiting.length === 1);
    waiting[0]?.();
    expect([(await odd.answer()).status, (await odd.answer()).status]).toEqual([200, 400]);
    await odd.closed;
  });
});

describe("by default", () => {
  it.each([
    ["Max open files            1024                 4096                 files     ", 819],
    ["Max open files            1048576              1048576              files     ", 10_000],
    ["Max open files            unlimited            unlimited            files     ", 10_000],
    ["", 10_000],
  ])("the limit is the number of files the process may open, or 10,000: %j", (limits, max) => {
    expect(defaultMaxConnections(`Limit  Soft Limit  Hard Limit  Units\n${limits}\n`)).toBe(max);
  });
});

describe("a client that ends its side within a body", () => {
  it.each(adapterNames)("is disconnected: %s", async (name) => {
    const { wire } = await start(name, {});
    const ended = wire();
    ended.socket.end(
      request("POST /v1/pages", "{", ann, "Content-Type: application/json").replace("Length: 1", "Length: 9"),
    );
    await ended.closed;
  });
});
