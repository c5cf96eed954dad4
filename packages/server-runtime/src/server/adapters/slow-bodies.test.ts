import { describe, expect, it } from "vitest";
import { binaryBody } from "../../http/index.js";
import type { BaseServerOptions } from "../options.js";
import { adapterNames } from "./adapters.support.js";
import { ann, startLimitedServer, json, type LimitedServer } from "./limited-server.support.js";
import { chunk, head, request } from "./raw-http.support.js";

const chunked = "Transfer-Encoding: chunked";
const octets = "Content-Type: application/octet-stream";

/** An API with JSON and streamed bodies. The description allows 50 ms for one of its paths. */
function api(options: BaseServerOptions = {}): LimitedServer {
  const upload = { required: true, contents: { "application/octet-stream": { decode: binaryBody } } } as const;
  const received = async (input: unknown): Promise<unknown> => {
    let length = 0;
    const { body } = input as { readonly body: AsyncIterable<Uint8Array> };
    for await (const piece of body) length += piece.length;
    return { status: 200, body: { length } };
  };
  return startLimitedServer(
    {
      lines: { addPage: "POST /pages", putFile: "PUT /file", putBriefly: "PUT /briefly" },
      bodies: { putFile: upload, putBriefly: upload },
      limits: { putBriefly: { bytes: { max: 1000, windowSeconds: 0.05 } } },
    },
    { addPage: () => ({ status: 200, body: {} }), putFile: received, putBriefly: received },
    { bodyTimeoutMs: 50, unreadTimeoutMs: 50, ...options },
  );
}

describe.each(adapterNames)("%s", (name) => {
  /** Web runtimes close connections by themselves. */
  const isWeb = name === "hono" || name === "fetch";

  it.each([
    ["without credentials", "POST /v1/pages", 401, []],
    ["to an unknown path", "POST /v1/nothing", 404, [ann]],
  ] as const)("keeps a connection whose unwanted body came with the head: %s", async (_, line, status, headers) => {
    const host = await api().listen(name);
    const wire = host.wire();
    wire.send(request(line, "{}", ...headers, json));
    expect(await wire.answer()).toMatchObject({ status, headers: { connection: "keep-alive" } });
    wire.send(request("POST /v1/pages", "{}", ann, json));
    expect((await wire.answer()).status).toBe(200);
  });

  it.each([
    ["without credentials", "POST /v1/pages", 401, [json]],
    ["of another media type", "POST /v1/pages", 415, [ann, "Content-Type: text/csv"]],
    ["to an unknown path", "POST /v1/nothing", 404, [ann]],
  ] as const)("closes a connection that declared a body and sends none of it: %s", async (_, line, status, headers) => {
    const host = await api().listen(name);
    const ask = async (framing: string): Promise<number> => {
      const wire = host.wire();
      wire.send(head(line, ...headers, framing), ...(framing === chunked ? [chunk("{")] : []));
      const answer = await wire.answer();
      if (!isWeb) expect(answer.headers["connection"]).toBe("close");
      await wire.closed;
      return answer.status;
    };
    const found = await Promise.all([ask(chunked), ask("Content-Length: 1000")]);
    // A chunked body may turn out to be empty, and then its type does not matter.
    expect(found).toEqual([status === 415 ? 408 : status, status]);
  });

  it.each([chunked, "Content-Length: 1000"])("responds with 408 to a body that stops: %s", async (framing) => {
    const host = await api().listen(name);
    const wire = host.wire();
    wire.send(head("POST /v1/pages", ann, json, framing), framing === chunked ? chunk('{"a":') : '{"a":');
    const { status, headers, body } = await wire.answer();
    expect({ status, connection: headers["connection"], retry: headers["retry-after"], body }).toEqual({
      status: 408,
      connection: "close",
      retry: "5",
      body: '{"errors":[{"reason":"The request did not arrive in time"}]}',
    });
    await wire.closed;
  });

  it("responds with 408 to a body that comes byte by byte", async () => {
    const host = await api().listen(name);
    const wire = host.wire();
    wire.send(head("POST /v1/pages", ann, json, "Content-Length: 100000"));
    const trickle = setInterval(() => wire.send(" "), 10);
    try {
      expect((await wire.answer()).status).toBe(408);
      await wire.closed;
    } finally {
      clearInterval(trickle);
    }
  });

  it("uses the time limit of the description for a streamed body, else that of streams", async () => {
    const host = await api().listen(name);
    const [long, brief] = [host.wire(), host.wire()];
    long.send(head("PUT /v1/file", ann, octets, "Content-Length: 4"), "ab");
    brief.send(head("PUT /v1/briefly", ann, octets, "Content-Length: 4"), "ab");
    expect((await brief.answer()).status).toBe(408);
    await brief.closed;
    long.send("cd");
    expect(await long.answer()).toMatchObject({ status: 200, body: '{"length":4}' });
  });

  it("responds with 503 to the oldest of the bodies that exceed the memory limit", async () => {
    const options = { bodyLimit: 50_000, bodyMemory: 100_000, bodyTimeoutMs: 60_000 };
    const host = await api(options).listen(name);
    const half = `"${"a".repeat(39_999)}`;
    const wires = Array.from({ length: 4 }, () => host.wire());
    for (const wire of wires) {
      wire.send(head("POST /v1/pages", ann, json, chunked), chunk(half));
      // The server has read it once it has responded to another request.
      const other = host.wire();
      other.send(request("POST /v1/pages", "{}", ann, json));
      expect((await other.answer()).status).toBe(200);
    }
    const oldest = await Promise.all(wires.slice(0, 2).map((wire) => wire.answer()));
    expect(oldest.map(({ status, headers }) => [status, headers["connection"], headers["retry-after"]])).toEqual([
      [503, "close", "5"],
      [503, "close", "5"],
    ]);
    for (const wire of wires.slice(2)) {
      wire.send(chunk('"'), "0\r\n\r\n");
      expect((await wire.answer()).status).toBe(200);
    }
  });
});
