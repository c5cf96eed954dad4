import type { Server as NodeServer } from "node:http";
import { createServer as createTlsServer, get as getTls, type Server as TlsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { adapterNames, type AdapterName } from "../adapters.support.js";
import { ann, startLimitedServer, until, type LimitedServer } from "../limited-server.support.js";
import { chunk, head, request, type RawConnection } from "../raw-http.support.js";
import { tlsOptions } from "../tls.support.js";
import { nodeListener } from "./index.js";
import { defaultMaxConnections } from "./open-files.js";
import { protectServer, type ConnectionOptions } from "./protect-server.js";

const lines = { getPage: "GET /pages/{page}", addPage: "POST /pages" };
const page = request("GET /v1/pages/1", undefined, ann);
const chunked = "Transfer-Encoding: chunked";
const bob = "Authorization: Bearer bob";
const json = "Content-Type: application/json";

interface Started {
  readonly wire: () => RawConnection;
  readonly server: NodeServer;
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
  return { wire, server, waiting };
}

async function ask(wire: RawConnection, text = page): Promise<number> {
  wire.send(text);
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

  it("closes one with an incomplete head", async () => {
    const { wire } = await start(name, { maxConnections: 2 });
    const [half, second] = [wire(), wire()];
    half.send("GET /v1/pages/1 HTTP/1.1\r\nHost: a");
    expect([await ask(second), await ask(wire())]).toEqual([200, 200]);
    await half.closed;
  });

  it.each([
    ["closes none with a running request of a client that has half of them", [ann, ann, bob, bob], undefined],
    ["closes the longest running request of a client that has more than half", [ann, ann, ann, bob], 0],
  ] as const)("%s", async (_, callers, victim) => {
    const { wire, waiting } = await start(name, { maxConnections: 4 });
    const wires: RawConnection[] = [];
    for (const [index, caller] of callers.entries()) {
      wires.push(wire());
      wires[index]?.send(request("GET /v1/pages/0", undefined, caller));
      await until(() => waiting.length === index + 1);
    }
    const newest = wire();
    if (victim === undefined) await newest.closed;
    else expect(await ask(newest, request("GET /v1/pages/1", undefined, bob))).toBe(200);
    for (const finish of waiting) finish();
    const answers = await Promise.all(
      wires.map(async (each) =>
        each.answer().then(
          ({ status }) => status,
          () => "closed",
        ),
      ),
    );
    expect(answers).toEqual(callers.map((__, index) => (index === victim ? "closed" : 200)));
  });

  it.each([
    ["half of them: the unfinished body of another client is closed", [ann, ann], "body"],
    ["more than half: its longest running request is closed", [ann, ann, ann], "handler"],
  ] as const)("while one client runs handlers on %s", async (_, callers, victim) => {
    const { wire, waiting, server } = await start(name, { maxConnections: 4 });
    const sockets: Socket[] = [];
    server.on("connection", (socket: Socket) => sockets.push(socket));
    const running: RawConnection[] = [];
    for (const [index, caller] of callers.entries()) {
      running.push(wire());
      running[index]?.send(request("GET /v1/pages/0", undefined, caller));
      await until(() => waiting.length === index + 1);
    }
    const halfBody = `${head("POST /v1/pages", bob, json, "Content-Length: 2")}{`;
    const uploads = Array.from({ length: 4 - callers.length }, () => wire());
    for (const upload of uploads) upload.send(halfBody);
    await until(() => sockets.length === 4 && sockets.slice(callers.length).every((each) => each.bytesRead > 100));
    expect(await ask(wire(), request("GET /v1/pages/1", undefined, bob))).toBe(200);
    await (victim === "body" ? Promise.race(uploads.map((each) => each.closed)) : running[0]?.closed);
    for (const finish of waiting) finish();
    const statuses = running.slice(victim === "body" ? 0 : 1).map(async (each) => (await each.answer()).status);
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  });

  it("closes the idle connection of another client before a handler's, also of a client that has more than half", async () => {
    const { wire, waiting } = await start(name, { maxConnections: 4 });
    const idle = wire();
    expect(await ask(idle, request("GET /v1/pages/1", undefined, bob))).toBe(200);
    const running = [wire(), wire(), wire()];
    for (const [index, each] of running.entries()) {
      each.send(request("GET /v1/pages/0", undefined, ann));
      await until(() => waiting.length === index + 1);
    }
    expect(await ask(wire(), request("GET /v1/pages/1", undefined, bob))).toBe(200);
    await idle.closed;
    for (const finish of waiting) finish();
    expect(await Promise.all(running.map(async (each) => (await each.answer()).status))).toEqual([200, 200, 200]);
  });

  it.each([
    ["nothing", "", {}],
    ["half a head", "GET /v1/pages/1 HTTP/1.1\r\nHost: a", {}],
    ["half a body, with a credential", head("POST /v1/pages", ann, json, "Content-Length: 9") + "{", {}],
    ["half a body, without a credential", head("POST /v1/pages", json, chunked) + chunk("{"), {}],
    ["half a body to a path that does not exist", head("POST /v1/nothing", json, chunked) + chunk("{"), {}],
    ["a request whose response it does not read", page, { text: "a".repeat(16_777_216) }],
    ["a request whose handler runs", request("GET /v1/pages/0", undefined, ann), {}],
  ])("serves others while one client has all connections, and sends %s", async (_, text, body) => {
    const { wire, server, waiting } = await start(name, { maxConnections: 4 }, body);
    const sockets: Socket[] = [];
    server.on("connection", (socket: Socket) => sockets.push(socket));
    const attackers = Array.from({ length: 4 }, () => wire());
    for (const each of attackers) {
      each.socket.pause();
      each.send(text);
    }
    await until(() => sockets.length === 4 && sockets.every((socket) => socket.bytesRead === text.length));
    // Half of the maximum is the share of two clients.
    const others = await Promise.all(
      Array.from({ length: 2 }, () => ask(wire(), request("POST /v1/pages", "{}", bob, json))),
    );
    expect(others).toEqual([200, 200]);
    for (const finish of waiting) finish();
  });

  it("closes the unfinished body whose client has sent nothing for the longest time", async () => {
    const { wire, server } = await start(name, { maxConnections: 2 });
    const sockets: Socket[] = [];
    server.on("connection", (socket: Socket) => sockets.push(socket));
    const [first, second] = [wire(), wire()];
    const halfBody = `${head("POST /v1/pages", ann, json, "Content-Length: 2")}{`;
    first.send(halfBody);
    await until(() => sockets[0]?.bytesRead === halfBody.length);
    second.send(halfBody);
    await until(() => sockets[1]?.bytesRead === halfBody.length);
    expect(await ask(wire())).toBe(200);
    await first.closed;
    second.send("}");
    expect((await second.answer()).status).toBe(200);
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

describe("a TLS server, at its limit of connections", () => {
  async function startTls(): Promise<{
    readonly server: TlsServer;
    readonly port: number;
    readonly sockets: Socket[];
  }> {
    const api = startLimitedServer(
      { lines },
      { addPage: () => ({ status: 200, body: {} }), getPage: () => ({ status: 200, body: {} }) },
    );
    const server = createTlsServer(tlsOptions, nodeListener(api.server));
    protectServer(server, api.server, { maxConnections: 4 });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
    });
    return { server, port: (server.address() as AddressInfo).port, sockets };
  }

  const askTls = async (port: number): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { port, host: "127.0.0.1", path: "/v1/pages/1", headers: { authorization: "Bearer bob" } };
      getTls({ ...options, agent: false, rejectUnauthorized: false }, ({ statusCode }) => resolve(statusCode)).on(
        "error",
        reject,
      );
    });

  it("serves others while one client has begun no handshake", async () => {
    const { server, port, sockets } = await startTls();
    let open = 0;
    server.on("connection", () => (open += 1));
    for (let index = 0; index < 6; index += 1) sockets.push(connect(port, "127.0.0.1").on("error", () => {}));
    await until(() => open === 6);
    expect(await askTls(port)).toBe(200);
    await until(() => sockets.filter((socket) => socket.closed).length >= 2);
  });

  it("serves others while one client sends half a body", async () => {
    const { server, port, sockets } = await startTls();
    let begun = 0;
    server.on("request", () => (begun += 1));
    for (let index = 0; index < 4; index += 1) {
      const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }).on("error", () => {});
      socket.write(`${head("POST /v1/pages", ann, json, "Content-Length: 9")}{`);
      sockets.push(socket);
      await until(() => begun === index + 1);
    }
    expect(await askTls(port)).toBe(200);
    await until(() => sockets[0]?.closed === true);
  });
});
