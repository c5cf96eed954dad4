import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import {
  withResponseLimit,
  createClient,
  createInstance,
  getInstance,
  isApiError,
  listInstances,
  paginateList,
  waitForInstance,
  type ClientOptions,
} from "@cloud-compute/client";
import { describe, expect, it, onTestFinished } from "vitest";

const token = "secret-0123456789abcdef-of-the-caller";

/** A server that writes arbitrary bytes to the socket of each request, and records the requests. */
async function hostile(answer: (socket: Socket, request: string) => void) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      requests.push(text);
      text = "";
      answer(socket, requests.at(-1) ?? "");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`, requests, sockets };
}

function says(text: string | Buffer) {
  return (socket: Socket): void => void socket.end(text);
}

function reply(body: string | Buffer, headers: readonly string[] = [], status = "200 OK"): Buffer {
  const type = headers.some((each) => /^content-type/i.test(each)) ? [] : ["Content-Type: application/json"];
  const head = [`HTTP/1.1 ${status}`, ...type, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), Buffer.from(body)]);
}

/** Returns the error of a call to such a server. Asserts that the error does not contain the token. A call that hangs fails its test. */
async function failureOf(url: string, options: ClientOptions = {}) {
  const client = createClient({ baseUrl: url, token, timeout: 240_000, ...options });
  return shown(getInstance(client, { path: { computeId: 5 } }));
}

async function shown(pending: Promise<unknown>) {
  const error: unknown = await pending.then(
    (value) => {
      throw new Error(`did not fail but gave ${inspect(value)}`);
    },
    (reason: unknown) => reason,
  );
  if (!isApiError(error)) throw error;
  for (const text of [inspect(error, { depth: 9 }), JSON.stringify(error), String(error.stack)])
    expect(text).not.toContain(token);
  return error;
}

describe("an invalid response", () => {
  it.each<readonly [what: string, bytes: string | Buffer, code: string, status: number]>([
    ["truncated JSON", reply('{"id": 5, "label": "we'), "decode", 200],
    ["HTML where JSON should be", reply("<html>Sign in</html>", ["Content-Type: text/html"]), "decode", 200],
    ["a picture", reply("\x89PNG", ["Content-Type: image/png"]), "decode", 200],
    ["JSON under the name of something else", reply("{}", ["Content-Type: text/plain"]), "decode", 200],
    ["invalid UTF-8", reply(Buffer.from([0x22, 0xff, 0xfe, 0x22])), "decode", 200],
    ["a body shorter than announced", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", "network", 0],
    ["chunks that break off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", "network", 0],
    ["a chunk of no size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n", "network", 0],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}", "network", 0],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
      "network",
      0,
    ],
    ["data that only claims to be compressed", reply("not gzip", ["Content-Encoding: gzip"]), "network", 0],
    ["nothing at all", "", "network", 0],
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "network", 0],
    ["a header without end", `HTTP/1.1 200 OK\r\nX-Long: ${"a".repeat(1_000_000)}`, "network", 0],
    ["a line break within a header", "HTTP/1.1 200 OK\r\nX-Odd: a\rb\r\nContent-Length: 2\r\n\r\n{}", "network", 0],
    [
      "HTTP/1.0, to the end of the connection",
      "HTTP/1.0 404 Not Found\r\nContent-Type: application/json\r\n\r\n{}",
      "http",
      404,
    ],
    ["a redirect to nowhere", "HTTP/1.1 302 Found\r\nLocation: http://\r\nContent-Length: 0\r\n\r\n", "network", 0],
    ["an error of text", reply("no", ["Content-Type: text/plain"], "500 No"), "http", 500],
    [
      "errors that are of wrong types",
      reply('{"errors": [1, null, {"reason": 5}, [[]], {}]}', [], "400 No"),
      "http",
      400,
    ],
    ["an unknown status", reply("{}", [], "799 Odd"), "http", 799],
  ])("%s", async (_, bytes, code, status) => {
    const { url } = await hostile(says(bytes));
    const error = await failureOf(url);
    expect([error.code, error.status]).toEqual([code, status]);
    expect(error.errors).toEqual([]);
  });

  it("a connection that is reset within the body", async () => {
    const { url } = await hostile((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", () => socket.resetAndDestroy());
    });
    expect(await failureOf(url)).toMatchObject({ code: "network", status: 0 });
  });
});

describe("an unusual, valid response", () => {
  it.each<readonly [what: string, bytes: string | Buffer, expected: unknown]>([
    ["HTTP/1.0", 'HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{"id":5}', { id: 5 }],
    ["no media type", 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"id":5}', { id: 5 }],
    [
      "headers twice",
      reply('{"id":5}', ["X-Request-Id: a", "X-Request-Id: b", "Set-Cookie: a=1", "Set-Cookie: b=2"]),
      { id: 5 },
    ],
    ["a mark at the beginning", reply('\ufeff{"id":5}'), { id: 5 }],
    [
      "a field called __proto__",
      reply('{"__proto__": {"isAdmin": true}, "id": 5}'),
      JSON.parse('{"__proto__": {"isAdmin": true}, "id": 5}'),
    ],
    // The bytes after a 204 belong to none of the responses.
    ["204 with a body", 'HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n\r\n{"id": 6}', undefined],
  ])("%s", async (_, bytes, expected) => {
    const { url } = await hostile(says(bytes));
    const client = createClient({ baseUrl: url, token });
    expect(await getInstance(client, { path: { computeId: 5 } })).toEqual(expected);
    expect(({} as { readonly isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it("does not use the bytes after a 204 for the next call", async () => {
    const { url } = await hostile((socket, request) => {
      if (request.includes("/5 "))
        socket.write('HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"id":6}');
      else socket.end(reply('{"id":7}'));
    });
    const client = createClient({ baseUrl: url, token });
    expect(await getInstance(client, { path: { computeId: 5 } })).toBeUndefined();
    // It may be lost with the connection, but it is not another's.
    const after = await getInstance(client, { path: { computeId: 7 } }).catch((error: unknown) => error);
    expect(isApiError(after) ? after.code : after).toEqual(isApiError(after) ? "network" : { id: 7 });
  });
});

describe("a slow server", () => {
  it.each<readonly [what: string, drip: (socket: Socket) => NodeJS.Timeout]>([
    [
      "sends a header, byte by byte",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
        return setInterval(() => socket.write("a"), 5);
      },
    ],
    [
      "sends a body, byte by byte",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n");
        return setInterval(() => socket.write(" "), 5);
      },
    ],
    ["says nothing", () => setTimeout(() => {}, 0)],
    [
      "says that it will continue, again and again",
      (socket) => setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 5),
    ],
  ])("%s", async (_, drip) => {
    const { url } = await hostile((socket) => {
      const timer = drip(socket);
      socket.on("close", () => clearInterval(timer));
    });
    expect(await failureOf(url, { timeout: 60 })).toMatchObject({ code: "timeout", status: 0 });
    const signal = AbortSignal.timeout(60);
    expect(await failureOf(url, { timeout: 0, signal })).toMatchObject({ code: "aborted" });
  });

  it("ends a wait and a loop over pages as well", async () => {
    const { url } = await hostile(() => {});
    const client = createClient({ baseUrl: url, token });
    const deadline = new Date(Date.now() + 50);
    await expect(waitForInstance(client, 5, "running", { deadline })).rejects.toMatchObject({ code: "deadline" });
    const pages = paginateList(listInstances, client, {}, { signal: AbortSignal.timeout(50) }).pages();
    await expect(pages.next()).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("a server that sends too much", () => {
  /** The peak memory of this process during a function, above its previous memory, in megabytes. */
  async function growth(run: () => Promise<unknown>): Promise<number> {
    const before = process.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
    await run();
    clearInterval(timer);
    return (Math.max(most, process.memoryUsage().rss) - before) / 2 ** 20;
  }

  function endless(socket: Socket, piece: Buffer): void {
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("drain", more);
    more();
  }

  const member = gzipSync(Buffer.alloc(1_000_000, " "));

  it("a header without end costs no memory", async () => {
    const { url } = await hostile((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Long: ");
      endless(socket, Buffer.alloc(65_536, "a"));
    });
    const grown = await growth(async () => expect(await failureOf(url)).toMatchObject({ code: "network" }));
    expect(grown).toBeLessThan(100);
  });

  it("headers without number cost no memory", async () => {
    const { url } = await hostile((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      endless(socket, Buffer.from("X-Another: one\r\n".repeat(1000)));
    });
    const grown = await growth(async () => expect(await failureOf(url)).toMatchObject({ code: "network" }));
    expect(grown).toBeLessThan(100);
  });

  it("a body without end costs no more than its bound", async () => {
    const { url } = await hostile((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3000000000\r\n\r\n");
      endless(socket, Buffer.alloc(65_536, " "));
    });
    const fetch = withResponseLimit({ maxBytes: 5_000_000 });
    const grown = await growth(async () => expect(await failureOf(url, { fetch })).toMatchObject({ code: "network" }));
    expect(grown).toBeLessThan(200);
  });

  it("a body that unpacks to a thousand times as much costs no more than its bound", async () => {
    // A hundred members of gzip, one after another, unpack to 100 MB.
    const packed = Buffer.concat(Array.from({ length: 100 }, () => member));
    const { url } = await hostile(says(reply(packed, ["Content-Encoding: gzip"])));
    const fetch = withResponseLimit({ maxBytes: 5_000_000 });
    const grown = await growth(async () => expect(await failureOf(url, { fetch })).toMatchObject({ code: "network" }));
    expect(grown).toBeLessThan(200);
  });

  it("does not keep more of a failure than can be read", async () => {
    const { url } = await hostile(says(reply("x".repeat(1_000_000), ["Content-Type: text/plain"], "500 No")));
    const error = await failureOf(url);
    expect(String(error.body)).toHaveLength(4096);
    expect(inspect(error).length).toBeLessThan(4096);
  });
});

describe("a server that sends callers elsewhere", () => {
  it.each([301, 302, 303, 307, 308])("%d to another origin does not get the token", async (status) => {
    const other = await hostile(says(reply('{"id": 5}')));
    const { url } = await hostile(
      says(`HTTP/1.1 ${status} Away\r\nLocation: ${other.url}/gather\r\nContent-Length: 0\r\n\r\n`),
    );
    const client = createClient({ baseUrl: url, token });
    await getInstance(client, { path: { computeId: 5 } });
    expect(other.requests).toHaveLength(1);
    expect(other.requests.join("")).not.toContain(token);
  });

  it("does not follow for ever", async () => {
    const { url, requests } = await hostile((socket) => {
      socket.end("HTTP/1.1 302 Round\r\nLocation: /v4/again\r\nContent-Length: 0\r\n\r\n");
    });
    expect(await failureOf(url)).toMatchObject({ code: "network" });
    expect(requests.length).toBeLessThan(30);
  });

  it("does not contain a token that a server repeats in its headers", async () => {
    const { url } = await hostile(says(reply("{}", [`X-Echo: Bearer ${token}`], "401 No")));
    expect(await failureOf(url)).toMatchObject({ status: 401 });
  });

  it("does not contain the body of the request", async () => {
    const { url } = await hostile(says(reply("{}", [], "400 No")));
    const client = createClient({ baseUrl: url, token });
    const body = { region: "us-east", type: "g6-standard-1", image: "compute/debian12", root_pass: token };
    await shown(createInstance(client, { body }));
  });
});
