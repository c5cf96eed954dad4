import { once } from "node:events";
import http from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../testing.support.js";
import { listen } from "./listening.js";

test.each([
  ["Content-Length: many", 400, "The request is not valid HTTP"],
  [`X-Long: ${"x".repeat(20_000)}`, 431, "The headers are too large"],
])("a head with %.20s gets an error body", async (header, status, reason) => {
  const { service } = await start();
  const answer = await sent(service.url, `GET /v4/regions HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(head).toContain("Content-Type: application/json");
  expect(JSON.parse(body)).toEqual({ errors: [{ reason }] });
});

test("an idle connection stays open longer than proxies keep theirs", async () => {
  const server = http.createServer();
  const { close } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(close);
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
});

test("a closing server answers requests in flight and ends their connections", async () => {
  const { server, begun } = slow();
  const { address, close } = await listen(server, { host: "127.0.0.1", port: 0 });
  // An idle connection would stay open for ever.
  server.keepAliveTimeout = 0;
  const agent = new http.Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const answer = get(address, agent);
  const finish = await begun;
  const closing = close();
  finish();
  expect(await answer).toEqual([200, "close"]);
  await closing;
});

test("a closing server ends connections without a request, and answers those in flight", async () => {
  const { server, begun } = slow();
  const { address, close } = await listen(server, { host: "127.0.0.1", port: 0 });
  const silent = connect(Number(new URL(address).port), "127.0.0.1");
  await once(silent, "connect");
  const answer = get(address, new http.Agent());
  const finish = await begun;
  const closing = close();
  await once(silent, "close");
  finish();
  expect(await answer).toEqual([200, "close"]);
  await closing;
});

test("a closing server answers a request that has arrived but was not read yet", async () => {
  const server = http.createServer((_request, response) => response.end("{}"));
  const { address, close } = await listen(server, { host: "127.0.0.1", port: 0 });
  const socket = connect(Number(new URL(address).port), "127.0.0.1").setEncoding("utf8");
  const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  socket.write(request);
  const [first] = (await once(socket, "data")) as [string];
  expect(first).toMatch(/^HTTP\/1\.1 200 .*Connection: keep-alive/s);
  socket.write(request);
  const closing = close();
  const [second] = (await once(socket, "data")) as [string];
  expect(second).toMatch(/^HTTP\/1\.1 200 .*Connection: close/s);
  await closing;
});

test("a port in use fails with a readable error", async () => {
  const first = await listen(http.createServer(), { host: "127.0.0.1", port: 0 });
  onTestFinished(first.close);
  const port = Number(new URL(first.address).port);
  await expect(listen(http.createServer(), { host: "127.0.0.1", port })).rejects.toThrow(
    new Error(`Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another port.`),
  );
});

test("all ports close at once, also while one of them still responds", async () => {
  const { service } = await start();
  const { port, hostname } = new URL(service.controls ?? "");
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // A body that does not arrive.
  socket.write("POST /clock HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{");
  await expect.poll(() => fetch(`${service.url}/regions`).then(({ status }) => status)).toBe(200);
  const closing = service.close();
  await expect
    .poll(() =>
      fetch(`${service.url}/regions`).then(
        () => "open",
        () => "closed",
      ),
    )
    .toBe("closed");
  socket.destroy();
  await closing;
});

/** A server that responds when the test lets it. */
function slow(): { readonly server: http.Server; readonly begun: Promise<() => void> } {
  let report: (finish: () => void) => void;
  const begun = new Promise<() => void>((resolve) => (report = resolve));
  return { server: http.createServer((_request, response) => report(() => response.end("{}"))), begun };
}

function get(address: string, agent: http.Agent): Promise<readonly [number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    http
      .get(address, { agent }, (response) => {
        response.resume();
        resolve([response.statusCode, response.headers.connection]);
      })
      .on("error", reject);
  });
}

async function sent(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = "";
  for await (const chunk of socket.setEncoding("utf8")) answer += String(chunk);
  return answer;
}
