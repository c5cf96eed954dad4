import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openHttpClient, type HttpClient } from "./http-client.js";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

it("sends requests as HTTP/1.1, over one connection", async () => {
  const { url, sent, sockets } = await serve((socket) => socket.write(ok));
  const client = openClient();
  await client.send({ method: "GET", url: `${url}/a?b=c`, headers: { accept: "*/*" } });
  await client.send({ method: "POST", url: `${url}/`, headers: {} });
  const { status, headers, text } = await client.send({
    method: "PUT",
    url,
    headers: { "content-type": "text/plain" },
    body: "\u00e4",
  });
  expect({ status, headers, text }).toEqual({ status: 200, headers: { "content-length": "2" }, text: "ok" });
  expect(sent.map((each) => each.split(" HTTP/1.1")[0])).toEqual(["GET /a?b=c", "POST /", "PUT /"]);
  expect(sent[2]).toMatch(/content-length: 2\r\n[^]*\r\n\r\n\u00e4$/i);
  expect(sockets).toHaveLength(1);
});

it("opens a connection for each of several requests at once, and keeps them", async () => {
  const { url, sockets } = await serve((socket) => socket.write(ok));
  const client = openClient();
  const get = (): Promise<unknown> => client.send({ method: "GET", url, headers: {} });
  await Promise.all([get(), get(), get()]);
  await Promise.all([get(), get(), get()]);
  expect(sockets).toHaveLength(3);
});

it("repeats a request once when the server closes an idle connection", async () => {
  let count = 0;
  const { url, sockets } = await serve((socket) => {
    count += 1;
    if (count === 2) socket.destroy();
    else socket.write(ok);
  });
  const client = openClient();
  await client.send({ method: "GET", url, headers: {} });
  expect((await client.send({ method: "GET", url, headers: {} })).text).toBe("ok");
  expect(sockets).toHaveLength(2);
});

it.each<[string, (socket: Socket) => void, string, number?]>([
  ["closes the connection", (socket) => socket.destroy(), "The connection broke (ECONNRESET)."],
  ["closes it within the response", (socket) => socket.end(ok.slice(0, -1)), "The connection broke within the body."],
  ["does not respond", () => undefined, "No response within 0.1 s.", 100],
  [
    "sends too much",
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(101)}`),
    "The body has more than 100 bytes.",
  ],
])("a server that %s has no response", async (_, respond, message, timeoutMs) => {
  const { url } = await serve(respond);
  await expect(openClient(timeoutMs).send({ method: "GET", url, headers: {} })).rejects.toThrow(message);
});

it("a server that does not listen, or does not speak TLS, has no response", async () => {
  const { url } = await serve((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const get = (address: string): Promise<unknown> => openClient().send({ method: "GET", url: address, headers: {} });
  await expect(get("http://127.0.0.1:9/")).rejects.toThrow("The connection broke (ECONNREFUSED).");
  await expect(get(url.replace("http:", "https:"))).rejects.toThrow("The server does not speak TLS");
  await expect(get("ftp://127.0.0.1/")).rejects.toThrow("is not an http URL.");
});

it("does not send headers with line breaks", async () => {
  const { url, sent } = await serve((socket) => socket.write(ok));
  const send = openClient().send({ method: "GET", url, headers: { a: "b\r\nc: d" } });
  await expect(send).rejects.toThrow("Invalid character in header content");
  expect(sent).toEqual([]);
});

/** Its default timeout is one that no busy machine reaches. */
function openClient(timeoutMs = 60_000): HttpClient {
  const client = openHttpClient({ timeoutMs, maxBytes: 100 });
  onTestFinished(() => client.close());
  return client;
}

interface TestServer {
  readonly url: string;
  readonly sent: string[];
  readonly sockets: Socket[];
}

/** A server that responds to each chunk of bytes. */
async function serve(respond: (socket: Socket) => void): Promise<TestServer> {
  const sent: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      sent.push(chunk.toString());
      respond(socket);
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, sockets };
}
