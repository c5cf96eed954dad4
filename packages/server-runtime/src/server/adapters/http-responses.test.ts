import { describe, expect, it, onTestFinished } from "vitest";
import { createAdapterApi, type AdapterApi } from "./adapter-api.support.js";
import { adapterNames, adapters, type AdapterName } from "./adapters.support.js";
import { request, connectRaw, type RawConnection } from "./raw-http.support.js";

interface Case {
  readonly name: string;
  readonly asks: string;
  readonly gets: Expected;
  readonly but?: Partial<Record<AdapterName, Expected & { readonly because: string }>>;
  /** The diary afterwards. */
  readonly diary?: readonly string[];
}

interface Expected {
  readonly status: number;
  /** Undefined for 404. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

const failed: Expected = {
  status: 500,
  headers: { "content-length": "6", "content-type": "text/plain" },
  body: "failed",
};
const chunked = { "transfer-encoding": "chunked", "content-length": undefined };
const bare = { "content-length": undefined, "content-type": undefined, "transfer-encoding": undefined };

const cases: readonly Case[] = [
  {
    name: "a text, counted in bytes",
    asks: "GET /v4/text",
    gets: {
      status: 200,
      headers: { "content-length": "10", "content-type": "text/plain", "x-request-id": "1" },
      body: "naïve ✓",
    },
  },
  {
    name: "bytes",
    asks: "GET /v4/bytes",
    gets: { status: 201, headers: { "content-length": "5", "content-type": "image/x" }, body: "bytes" },
  },
  { name: "a stream", asks: "GET /v4/stream", gets: { status: 200, headers: chunked, body: "one, two" } },
  {
    name: "a stream with a declared length",
    asks: "GET /v4/counted",
    gets: { status: 200, headers: { "content-length": "8", "transfer-encoding": undefined }, body: "one, two" },
  },
  { name: "nothing", asks: "GET /v4/nothing", gets: { status: 200, headers: { "content-length": "0" }, body: "" } },
  { name: "204", asks: "GET /v4/none", gets: { status: 204, headers: { ...bare, "x-a": "1" } } },
  { name: "304", asks: "GET /v4/same", gets: { status: 304, headers: { ...bare, etag: '"1"' } } },
  { name: "205", asks: "GET /v4/reset", gets: { status: 205, headers: { "content-length": "0" }, body: "" } },
  {
    name: "an invalid length",
    asks: "GET /v4/lies",
    gets: { status: 200, headers: { "content-length": "4", "transfer-encoding": undefined }, body: "four" },
  },
  { name: "latin-1 in a header", asks: "GET /v4/latin", gets: { status: 200, headers: { "x-a": "é" }, body: "" } },
  {
    name: "HEAD of a text",
    asks: "HEAD /v4/text",
    gets: { status: 200, headers: { "content-length": "10", "content-type": "text/plain" } },
  },
  { name: "HEAD of bytes", asks: "HEAD /v4/bytes", gets: { status: 201, headers: { "content-length": "5" } } },
  {
    name: "HEAD of a stream",
    asks: "HEAD /v4/stream",
    gets: { status: 200, headers: { "content-length": undefined } },
  },
  {
    name: "HEAD of a stream with a declared length",
    asks: "HEAD /v4/counted",
    gets: { status: 200, headers: { "content-length": "8" } },
  },
  {
    name: "HEAD of an endless stream",
    asks: "HEAD /v4/endless",
    gets: { status: 200 },
    diary: ["endless: cancelled"],
  },
  { name: "HEAD of nothing", asks: "HEAD /v4/none", gets: { status: 204, headers: bare } },
  {
    name: "a header with a line break",
    asks: "GET /v4/breaks",
    gets: { ...failed, headers: { ...failed.headers, "x-a": undefined, "x-b": undefined } },
    diary: ["failed: The value of the header x-a has characters that a header cannot have."],
  },
  {
    name: "a header beyond latin-1, with a status that has no body",
    asks: "GET /v4/wide",
    gets: failed,
    diary: ["failed: The value of the header x-a has characters that a header cannot have."],
  },
  {
    name: "an invalid header name",
    asks: "GET /v4/names",
    gets: failed,
    diary: ['failed: "x a" is not a valid header name.'],
  },
  {
    name: "an invalid status",
    asks: "GET /v4/odd",
    gets: failed,
    diary: ["failed: 99 is not a valid status of a response. Use one from 200 to 599."],
  },
  {
    name: "an informational status",
    asks: "GET /v4/informs",
    gets: failed,
    diary: ["failed: 103 is not a valid status of a response. Use one from 200 to 599."],
  },
  {
    name: "a stream with another reader",
    asks: "GET /v4/locked",
    gets: failed,
    diary: [expect.stringMatching(/^failed: .*locked/)],
  },
  { name: "an API that throws", asks: "GET /v4/throws", gets: failed, diary: ["failed: thrown"] },
  {
    name: "an API that throws, also when it handles errors",
    asks: "GET /v4/throws?twice",
    gets: { status: 500, headers: { "content-length": "0" }, body: "" },
    diary: ["failed: thrown"],
  },
  {
    name: "an API whose error response cannot be sent",
    asks: "GET /v4/breaks?badly",
    gets: { status: 500, headers: { "content-length": "0" }, body: "" },
    diary: ["failed: The value of the header x-a has characters that a header cannot have."],
  },
  { name: "an API that rejects", asks: "GET /v4/unknown", gets: failed, diary: ["failed: no unknown"] },
  {
    name: "a path outside the API",
    asks: "GET /other",
    gets: { status: 200, body: "host" },
    but: { fetch: { status: 404, body: "nowhere", because: "no other handler" } },
  },
  {
    name: "what is asked",
    asks: "PUT /v4/who?a=%20b&c",
    gets: { status: 200, body: '["PUT","/v4/who?a=%20b&c","127.0.0.1",0]' },
    but: {
      hono: { status: 200, body: '["PUT","/v4/who?a=%20b&c","127.0.0.1",null]', because: "a body may be there" },
      fetch: { status: 200, body: '["PUT","/v4/who?a=%20b&c","127.0.0.1",null]', because: "a body may be there" },
    },
  },
];

describe.each(adapterNames)("%s", (name) => {
  const start = async (): Promise<{ readonly api: AdapterApi; readonly wire: RawConnection }> => {
    const api = createAdapterApi();
    const host = await adapters[name](api);
    onTestFinished(host.close);
    return { api, wire: connectRaw(host.port) };
  };

  it.each(cases)("$name", async ({ asks, gets, but, diary }) => {
    const { api, wire } = await start();
    wire.send(request(asks));
    const answer = await wire.answer(asks.startsWith("HEAD") ? "HEAD" : undefined);
    const { status, headers = {}, body } = but?.[name] ?? gets;
    const found = Object.fromEntries(Object.keys(headers).map((each) => [each, answer.headers[each]]));
    expect({ status: answer.status, headers: found, body: body === undefined ? undefined : answer.body }).toEqual({
      status,
      headers,
      body,
    });
    expect(api.diary).toEqual(diary ?? []);
    // The connection works for the next request, whatever the response was.
    wire.send(request("GET /v4/text"));
    expect(await wire.answer()).toMatchObject({ status: 200, body: "naïve ✓" });
  });

  it.each([
    ["fails", "out of ink"],
    ["short", "The body of a response has 8 bytes, but its Content-Length is 9."],
    ["long", "The body of a response has 8 bytes, but its Content-Length is 7."],
    ["strings", "The body of a response streams values that are not bytes. Enqueue Uint8Arrays."],
  ])("breaks the connection if a stream %s", async (path, message) => {
    const { api, wire } = await start();
    wire.send(request(`GET /v4/${path}`));
    await expect(wire.answer()).rejects.toThrow("closed after");
    expect(api.diary).toEqual([`failed: ${message}`]);
  });

  it.each([
    ["the head of a stream before its first bytes", "mute", "\r\n\r\n"],
    ["its first bytes before the rest", "silent", "begun"],
  ])("sends %s", async (_, path, come) => {
    const { wire } = await start();
    wire.send(request(`GET /v4/${path}`));
    while (!(await wire.begin()).includes(come)) await new Promise(setImmediate);
    expect(await wire.begin()).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  });

  it("responds to pipelined requests in their order", async () => {
    const { wire } = await start();
    wire.send(
      ["text", "stream", "none", "bytes", "nothing", "text"].map((path) => request(`GET /v4/${path}`)).join(""),
    );
    const bodies: (string | number)[] = [];
    for (let index = 0; index < 6; index += 1) {
      const { status, body } = await wire.answer();
      bodies.push(body === "" ? status : body);
    }
    expect(bodies).toEqual(["naïve ✓", "one, two", 204, "bytes", 200, "naïve ✓"]);
  });

  it("closes the connection if the response says so", async () => {
    const { wire } = await start();
    wire.send(request("GET /v4/ends"));
    expect(await wire.answer()).toMatchObject({ headers: { connection: "close" }, body: "bye" });
    await wire.closed;
  });

  it("survives malformed requests, and headers that are too long", async () => {
    const api = createAdapterApi();
    const host = await adapters[name](api);
    onTestFinished(host.close);
    const statuses: number[] = [];
    for (const bytes of ["nonsense\r\n\r\n", request("GET /v4/text", undefined, `X-A: ${"a".repeat(20_000)}`)]) {
      const wire = connectRaw(host.port);
      wire.send(bytes);
      statuses.push(Number((await wire.begin()).split(" ")[1]));
      wire.socket.destroy();
    }
    const wire = connectRaw(host.port);
    wire.send(request("GET /v4/text"));
    expect([...statuses, (await wire.answer()).status]).toEqual([400, 431, 200]);
  });
});
