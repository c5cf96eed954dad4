import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createServer } from "@cloud-compute/server";
import { nodeListener, protectServer } from "@cloud-compute/server/node";
import { expect, onTestFinished, test } from "vitest";
import { keep } from "../recorded-responses.support.js";
import { start } from "../testing.support.js";

/** Sends text unchanged, and returns what arrives until the connection ends. */
async function answerTo(port: number, sent: string): Promise<{ readonly head: string; readonly body: unknown }> {
  const socket = net.connect(port, "127.0.0.1", () => socket.write(sent));
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  return { head, body: JSON.parse(body) };
}

test("a request that is not HTTP, or has too many headers, gets an error body", async () => {
  const { service } = await start();
  const port = Number(new URL(service.url).port);
  const odd = await answerTo(port, "what is this?\r\n\r\n");
  expect(odd.head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(odd.body).toEqual({ errors: [{ reason: "The request is not valid HTTP" }] });
  const long = await answerTo(port, `GET /v4/regions HTTP/1.1\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`);
  expect(long.head).toMatch(/^HTTP\/1\.1 431 /);
  expect(long.body).toEqual({ errors: [{ reason: "The headers are too large" }] });
});

test("a request whose head does not arrive gets 408 after the server's timeout", async () => {
  // The service's own server waits for a minute.
  const api = createServer({}, { missingHandlers: "not-implemented" });
  const server = http.createServer({ headersTimeout: 100, connectionsCheckingInterval: 20 }, nodeListener(api));
  protectServer(server, api);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const late = await answerTo((server.address() as AddressInfo).port, "GET /v4/regions HTTP/1.1\r\n");
  expect(late.head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n(.*\r\n)*Retry-After: 5\r\n/);
  const errors = [{ reason: "Please try again" }];
  expect(late.body).toEqual({ errors });
  keep({ method: "GET", path: "/regions", status: 408, hadToken: false, errors });
});
