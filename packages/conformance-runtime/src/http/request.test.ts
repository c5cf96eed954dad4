import { createServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { CallerToken } from "../results.js";
import type { CallStep, CredentialInfo, OperationInfo } from "../suite.js";
import type { TemplateValues } from "../values/template.js";
import { openHttpClient, type HttpClient } from "./http-client.js";
import { prepareRequest } from "./request.js";

const parameter = { segments: 1, style: "form", explode: true } as const;
const facts: OperationInfo = {
  method: "get",
  path: "/images/{imageId}/of/{name}",
  tag: "images",
  location: "x.yaml:1",
  parameters: [
    { ...parameter, name: "imageId", in: "path", segments: 2, style: "simple", explode: false },
    { ...parameter, name: "name", in: "path", style: "simple", explode: false },
    { ...parameter, name: "csv", in: "query", explode: false },
    { ...parameter, name: "pipe", in: "query", style: "pipeDelimited", explode: false },
    { ...parameter, name: "deep", in: "query", style: "deepObject" },
    { ...parameter, name: "json", in: "query", mediaType: "application/json" },
  ],
  responses: {},
};

it("a step is encoded as the description defines", () => {
  const { request, seen } = prepared({
    path: { imageId: "private/5 é", name: "a/b?" },
    query: {
      csv: ["a", "b,c"],
      pipe: [1, 2],
      deep: { a: { b: 1 }, c: ["x", "y"] },
      json: { a: 1 },
      plain: [1, true],
      none: { $absent: true },
    },
    headers: { "X-Filter": { label: "é" }, "X-Raw": "{é", Accept: "text/plain" },
    body: { a: 1 },
  });
  expect(request).toEqual({
    method: "GET",
    url: "http://api/v1/images/private/5%20%C3%A9/of/a%2Fb%3F?csv=a,b%2Cc&pipe=1%7C2&deep%5Ba%5D%5Bb%5D=1&deep%5Bc%5D%5B%5D=x&deep%5Bc%5D%5B%5D=y&json=%7B%22a%22%3A1%7D&plain=1&plain=true",
    headers: {
      accept: "text/plain",
      authorization: "Bearer t",
      "content-type": "application/json",
      "user-agent": "x/1",
      "x-filter": '{"label":"\\u00e9"}',
      "x-raw": "{é",
    },
    body: '{"a":1}',
  });
  expect(seen).toMatchObject({ path: { imageId: "private/5 é" }, body: { a: 1 } });
});

const values: TemplateValues = { get: () => undefined, unique: () => "", now: () => 0, matches: () => true };

it("a token is sent as its security scheme defines", () => {
  const key = { scheme: "key", as: "apiKey", in: "query", name: "key" } as const;
  const shown = (credentials: readonly CredentialInfo[], token: CallerToken) =>
    prepareRequest(
      { call: "x" },
      { url: "http://api", info: { ...facts, path: "/", credentials }, values, caller: { token }, userAgent: "x/1" },
    ).request;
  expect(shown([{ scheme: "basic", as: "basic" }], "é:b").headers).toMatchObject({ authorization: "Basic w6k6Yg==" });
  expect(shown([{ ...key, in: "header", name: "X-Key" }], "k").headers).toMatchObject({ "x-key": "k" });
  expect(shown([key], "a&b").url).toBe("http://api/?key=a%26b");
  const both = [
    key,
    { ...key, scheme: "one", in: "cookie" },
    { ...key, scheme: "two", in: "cookie", name: "t" },
  ] as const;
  expect(shown(both, { key: "k", one: "1", two: "2" })).toMatchObject({
    url: "http://api/?key=k",
    headers: { cookie: "key=1; t=2" },
  });
  expect(shown(both, { two: "2" }).url).toBe("http://api/");
  expect(shown(both, { two: "2" }).headers["authorization"]).toBeUndefined();
});

it.each([
  [{ style: "deepObject" }, 'items[0][price]=1&items[1][price]=2&items[1][tags][]=a&tags=a&tags=b&at={"x":1}'],
  [
    { style: "deepObject", nestedArrays: "indices" },
    'items[0][price]=1&items[1][price]=2&items[1][tags][0]=a&tags=a&tags=b&at={"x":1}',
  ],
  [
    { style: "deepObject", nestedArrays: "repeat" },
    'items[0][price]=1&items[1][price]=2&items[1][tags]=a&tags=a&tags=b&at={"x":1}',
  ],
] as const)("a form is sent with the encodings of its fields: %j", (encoding, text) => {
  const formFields = [{ name: "items", in: "query", segments: 1, explode: true, ...encoding }] as const;
  const info = { ...facts, path: "/", mediaType: "application/x-www-form-urlencoded", formFields };
  const body = { items: [{ price: 1 }, { price: 2, tags: ["a"] }], tags: ["a", "b"], at: { x: 1 } };
  const { request } = prepareRequest(
    { call: "x", body },
    { url: "http://api", info, values, caller: undefined, userAgent: "x/1" },
  );
  expect(decodeURIComponent(String(request.body))).toBe(text);
});

it("a raw body, a method and an address are sent unchanged", () => {
  const raw = { text: "{broken", mediaType: null };
  const { request } = prepared({ raw, method: "PROPFIND", address: "http://elsewhere:1/a b?c", query: { d: 1 } });
  expect(request).toMatchObject({ method: "PROPFIND", url: "http://elsewhere:1/a%20b?c&d=1", body: "{broken" });
  expect(request.headers).not.toHaveProperty("content-type");
});

it("a missing path parameter is an error of the suite", () => {
  expect(() => prepared({ path: { name: "x" } })).toThrow(
    'get /images/{imageId}/of/{name} is called without its path parameter imageId. Set it in "path".',
  );
});

it("any request gets its response, and an expired connection is opened again", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    response.writeHead(200, { "x-many": ["a", "b"] });
    response.end(`${request.method} ${request.url} ${request.headers["content-length"]}`);
  }).on("connection", (socket) => sockets.add(socket));
  const url = await listening(server);
  const http = opened();
  const sent = { method: "DELETE", url: `${url}/a//b/..?x=[1]`, headers: {}, body: "é" };
  expect(await http.send(sent)).toMatchObject({
    status: 200,
    text: "DELETE /a//b/..?x=[1] 2",
    headers: { "x-many": "a, b" },
  });
  for (const socket of sockets) socket.resetAndDestroy();
  expect(await http.send(sent)).toMatchObject({ status: 200 });
  expect(sockets.size).toBe(2);
});

it("an error without a response has the reason", async () => {
  const silent = await listening(createTcpServer());
  await expect(
    opened({ timeoutMs: 50, maxBytes: 10 }).send({ method: "GET", url: silent, headers: {} }),
  ).rejects.toThrow("No response within 0.05 s.");
  const long = await listening(createServer((_, response) => response.end("x".repeat(11))));
  await expect(
    opened({ timeoutMs: 240_000, maxBytes: 10 }).send({ method: "GET", url: long, headers: {} }),
  ).rejects.toThrow("The body has more than 10 bytes.");
  const broken = await listening(
    createTcpServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx")),
  );
  await expect(opened().send({ method: "GET", url: broken, headers: {} })).rejects.toThrow("The connection broke");
});

function prepared(step: Omit<CallStep, "call">): ReturnType<typeof prepareRequest> {
  const context = { url: "http://api/v1", info: facts, values, caller: { token: "t" }, userAgent: "x/1" };
  return prepareRequest({ call: "getImage", ...step }, context);
}

function opened(...limits: Parameters<typeof openHttpClient>): HttpClient {
  const http = openHttpClient(...limits);
  onTestFinished(() => {
    http.close();
  });
  return http;
}

async function listening(
  server: ReturnType<typeof createServer> | ReturnType<typeof createTcpServer>,
): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("a multipart body has a part for each field, and a name for each file", () => {
  const info = { ...facts, mediaType: "multipart/form-data", files: { file: "text/csv" } };
  const step: CallStep = { call: "x", body: { file: "a,plumbline", tags: ["x", 2], about: { a: 1 } } };
  const { request, seen } = prepareRequest(step, {
    url: "http://api",
    info: { ...info, path: "/files" },
    values,
    caller: undefined,
    userAgent: "x/1",
  });
  expect(request.headers["content-type"]).toBe("multipart/form-data; boundary=plumbline-");
  expect(request.body?.split("\r\n")).toEqual([
    "--plumbline-",
    'content-disposition: form-data; name="file"; filename="file"',
    "content-type: text/csv",
    "",
    "a,plumbline",
    "--plumbline-",
    'content-disposition: form-data; name="tags"',
    "",
    "x",
    "--plumbline-",
    'content-disposition: form-data; name="tags"',
    "",
    "2",
    "--plumbline-",
    'content-disposition: form-data; name="about"',
    "content-type: application/json",
    "",
    '{"a":1}',
    "--plumbline---",
    "",
  ]);
  expect(seen.body).toEqual(step.body);
});
