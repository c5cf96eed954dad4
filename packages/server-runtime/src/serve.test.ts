import { bytes, type BodyDefinition } from "@plumbline/validator-runtime";
import { describe, expect, it } from "vitest";
import type { Call } from "./call.js";
import { Refused } from "./errors.js";
import { house, houses, stored } from "./houses.support.js";
import type { Transaction } from "./options.js";
import type { TooLarge } from "./received.js";
import { serve } from "./serve.js";
import { described, serving, storesOf } from "./served.support.js";
import type { StateRule } from "./states.js";

const known = { taken: { status: 409, reason: "It is taken" } };
const api = described({ lines: { get: "GET /things", make: "POST /things" }, known });
const answered = { status: 200, body: {} };

describe("a transaction", () => {
  /** Commits what is written if it succeeds. */
  const database = () => {
    const rows: string[] = [];
    const transaction: Transaction<Call & { readonly write: (text: string) => void }, Call> = async (_, run) => {
      const begun: string[] = [];
      const result = await run({ write: (text) => begun.push(text) });
      rows.push(...begun);
      return result;
    };
    return { rows, transaction: transaction as unknown as Transaction<Call> };
  };
  const writing = (reply: () => unknown) => ({
    make: (_: unknown, call: Call) => {
      (call as Call & { readonly write: (text: string) => void }).write("row");
      return reply();
    },
  });

  it.each([
    ["commits on success", () => answered, 200, ["row"]],
    ["rolls back on an error", () => Promise.reject(new Refused("taken")), 409, []],
    ["rolls back an error response that a handler returns", () => ({ status: 409, body: { no: true } }), 409, []],
    ["rolls back on an exception", () => Promise.reject(new Error("x")), 500, []],
    ["rolls back on an undocumented response", () => ({ status: 201, body: {} }), 500, []],
  ])("%s", async (_, reply, status, kept) => {
    const { rows, transaction } = database();
    const { ask } = serving(api, writing(reply), { transaction });
    expect([(await ask("POST /v1/things")).status, rows]).toEqual([status, kept]);
  });

  it("sends an error response that a handler returns unchanged", async () => {
    const { ask, log } = serving(api, { make: () => ({ status: 409, body: { no: true } }) });
    expect([(await ask("POST /v1/things")).text, log]).toEqual(['{"no":true}', []]);
  });

  it("that cannot be committed is an internal error, and so is one that runs nothing", async () => {
    const failing: Transaction<Call> = async (_, run) => {
      await run({});
      throw new Error("the disk is full");
    };
    const { ask, log } = serving(api, {}, { transaction: failing });
    expect((await ask("POST /v1/things")).status).toBe(500);
    expect(log.map(({ message }) => message)).toEqual(["the disk is full"]);
    const idle = serving(api, {}, { transaction: async () => undefined as never });
    expect([(await idle.ask("POST /v1/things")).status, idle.log.length, idle.calls.length]).toEqual([500, 1, 0]);
  });

  it("that is retried starts with the sent body", async () => {
    const twice: Transaction<Call> = async (_, run) => {
      await run({});
      return run({});
    };
    const more = {
      pointer: ["a"],
      rules: [{ take: { kind: "from", from: { root: "request", part: "body", pointer: ["a"] }, times: 2 } }],
    } as const;
    const { ask, calls } = serving({ ...api, values: { make: [more] } }, {}, { transaction: twice });
    expect((await ask("POST /v1/things", { body: { a: 1 } })).status).toBe(200);
    expect(calls.map(({ input }) => input)).toEqual([{ body: { a: 2 } }, { body: { a: 2 } }]);
  });

  it("cancels a body that is not sent", async () => {
    const cancelled: string[] = [];
    const body = (name: string) =>
      new ReadableStream({
        cancel: () => {
          cancelled.push(name);
        },
      });
    const raw = { ...api, shown: { make: { 200: { "image/x": (value: unknown) => value } } } };
    const failing: Transaction<Call> = async (_, run) => {
      await run({});
      throw new Error("x");
    };
    const options = { replies: "trust", transaction: failing } as const;
    await serving(raw, { make: () => ({ status: 200, body: body("not committed") }) }, options).ask("POST /v1/things");
    await serving(raw, { make: () => ({ status: 201, body: body("not described") }) }).ask("POST /v1/things");
    expect(cancelled).toEqual(["not committed", "not described"]);
  });
});

describe("without a transaction", () => {
  const states: Readonly<Record<string, readonly StateRule[]>> = {
    act: [{ machine: "M", resource: "House", field: "state", moves: [{ from: ["off"], else: "taken" }] }],
  };
  const target = { resource: "House", parameter: "house" };

  it("fifty concurrent requests each see the changes of the one before, and an error blocks no other", async () => {
    const row = { id: 1, owner: { account: "a" }, state: "off", left: 5 };
    const acting = houses({
      lines: { act: "POST /houses/{house}" },
      states,
      operationResources: { act: { path: [house], body: [], target } },
    });
    const { ask, log } = serving(
      acting,
      {
        act: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          row.left -= 1;
          if (row.left === 3) throw new Error("x");
          if (row.left === 0) row.state = "on";
          return answered;
        },
      },
      { resources: storesOf({ House: [row] }).stores },
    );
    const told = await Promise.all(Array.from({ length: 50 }, () => ask("POST /v1/houses/1")));
    const count = (status: number) => told.filter((each) => each.status === status).length;
    expect([count(200), count(500), count(400), row.left, log.length]).toEqual([4, 1, 45, 0, 1]);
  });

  it("a slow client delays only requests to the same path", async () => {
    const body: BodyDefinition = { contents: { "image/x": { read: bytes } } };
    const acting = houses({
      lines: { act: "POST /houses/{house}", put: "PUT /houses/{house}" },
      bodies: { put: body },
      states: { ...states, put: states["act"] ?? [] },
      operationResources: Object.fromEntries(["act", "put"].map((each) => [each, { path: [house], body: [], target }])),
    });
    const rows = [1, 2].map((id) => ({ id, owner: { account: "a" }, state: "off" }));
    const read = async ({ body: sent }: { readonly body?: unknown }) => {
      await new Response(sent as ReadableStream).text();
      return answered;
    };
    const { ask, calls } = serving(acting, { put: read }, { resources: storesOf({ House: rows }).stores });
    const pipe = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { "content-type": "image/x" };
    const slow = ask("PUT /v1/houses/1", { raw: pipe.readable, headers });
    const same = ask("PUT /v1/houses/1", { raw: "abc", headers });
    expect((await ask("POST /v1/houses/1")).status).toBe(200);
    expect((await ask("PUT /v1/houses/2", { raw: "abc", headers })).status).toBe(200);
    expect(calls.map(({ operation }) => operation).toSorted()).toEqual(["act", "put", "put"]);
    await pipe.writable.close();
    expect([(await slow).status, (await same).status, calls.length]).toEqual([200, 200, 4]);
  });
});

describe("a linked operation", () => {
  const linked = houses({
    lines: { put: "PUT" },
    bodies: { put: { contents: { "image/x": { read: bytes } } } },
    security: { put: [] },
    operationResources: { put: { path: [], body: [], target: { resource: "House" } } },
  });
  const put = { "content-type": "image/x" };

  it("has the path of the option, and loads what it names", async () => {
    const row = { id: 1 };
    const target = ({ ticket }: Readonly<Record<string, string>>) => (ticket === "a b" ? row : undefined);
    const links = { put: { path: "/uploads/{ticket}", target } };
    const { ask, calls } = serving(linked, {}, { links, resources: stored().stores });
    const told = async (path: string, line = "PUT") =>
      (await ask(`${line} ${path}`, { token: null, raw: "x", headers: put })).status;
    expect([await told("/uploads/a%20b"), await told("/uploads/b"), await told("/uploads/%ff")]).toEqual([
      200, 404, 404,
    ]);
    expect([await told("/uploads"), await told("/v1/uploads/a%20b"), await told("/uploads/a%20b/c")]).toEqual([
      404, 404, 404,
    ]);
    expect([await told("/uploads/a%20b", "POST"), await told("/uploads/a%20b", "OPTIONS")]).toEqual([405, 204]);
    expect(calls.map(({ input: { link, target: found } }) => [link, found])).toEqual([[{ ticket: "a b" }, row]]);
  });

  it("is 404 if its target is null, or without the option", async () => {
    const links = { put: { path: "/uploads/{ticket}", target: () => null as never } };
    const { ask, calls } = serving(linked, {}, { links });
    expect((await ask("PUT /uploads/a", { raw: "x", headers: put })).status).toBe(404);
    expect((await serving(linked).ask("PUT /uploads/a", { raw: "x", headers: put })).status).toBe(404);
    expect(calls).toEqual([]);
  });
});

describe("a streamed body", () => {
  const streamed = described({
    lines: { put: "PUT /file" },
    bodies: { put: { contents: { "image/x": { read: bytes } } } },
    known: { "too-big": { status: 400, reason: "The file is too big" } },
    limits: { put: { bytes: { max: 5, error: "too-big" } } },
  });
  const read = async ({ body }: { readonly body?: unknown }) => {
    const text = await new Response(body as ReadableStream).text();
    return { status: 200, body: text };
  };
  const send = (text: string): ReadableStream =>
    new ReadableStream({
      start: (controller) => {
        for (const each of text) controller.enqueue(new TextEncoder().encode(each));
        controller.close();
      },
    });
  const putting = async (text: string, isDeclared: boolean, given = streamed) => {
    const { ask, calls, log } = serving(given, { put: read });
    const length: Readonly<Record<string, string>> = isDeclared ? { "content-length": String(text.length) } : {};
    const told = await ask("PUT /v1/file", { raw: send(text), headers: { "content-type": "image/x", ...length } });
    return [told.status, told.text, calls.length, log.length];
  };
  const tooBig = '{"errors":[{"reason":"The file is too big"}]}';

  it("of the maximum size passes, and one byte more is the limit's own error, declared or not", async () => {
    expect([await putting("12345", true), await putting("12345", false)]).toEqual([
      [200, '"12345"', 1, 0],
      [200, '"12345"', 1, 0],
    ]);
    expect([await putting("123456", true), await putting("123456", false)]).toEqual([
      [400, tooBig, 0, 0],
      [400, tooBig, 1, 0],
    ]);
  });

  it("is 413 if the limit has no error of its own", async () => {
    const plain = { ...streamed, limits: { put: { bytes: { max: 5 } } } };
    expect(
      [await putting("123456", true, plain), await putting("123456", false, plain)].map(([status]) => status),
    ).toEqual([413, 413]);
  });

  it("ends with an error that its reader may catch", async () => {
    let limit = 0;
    const caught = async ({ body }: { readonly body?: unknown }) => {
      await new Response(body as ReadableStream).text().catch((error: TooLarge) => {
        limit = error.limit;
      });
      return answered;
    };
    const { ask } = serving(streamed, { put: caught });
    await ask("PUT /v1/file", { raw: send("123456"), headers: { "content-type": "image/x" } });
    expect(limit).toBe(5);
  });
});

describe("a server", () => {
  it("requires a handler for each operation", async () => {
    expect(() => serve(api, { get: () => answered }, {})).toThrow(
      'Missing handlers: make. Write them, or set missing: "not-implemented".',
    );
    const named = described({ lines: { toString: "GET /things" } });
    expect(() => serve(named, {}, {})).toThrow("Missing handlers: toString");
    expect(serve(api, {}, { missing: "not-implemented" })).toBeDefined();
  });

  it("has one or several configured base paths", async () => {
    const told = async (basePath: string | readonly string[], path: string) =>
      (await serving(api, {}, { basePath }).ask(`GET ${path}`)).status;
    expect([await told("/a", "/a/things"), await told("/a", "/v1/things"), await told("/", "/things")]).toEqual([
      200, 404, 200,
    ]);
    const both = ["/a", "/b/c/"];
    expect([await told(both, "/a/things"), await told(both, "/b/c/things"), await told(both, "/b/things")]).toEqual([
      200, 200, 404,
    ]);
  });

  it("responds equally below each base path, and to each method", async () => {
    const { ask, calls } = serving(api, {}, { basePath: ["/a", "/b"] });
    for (const line of ["GET /a/things", "GET /b/things", "HEAD /a/things", "HEAD /b/things", "POST /b/things"])
      expect([line, (await ask(line, { token: null })).status]).toEqual([line, 401]);
    expect((await ask("OPTIONS /b/things", { token: null })).headers["allow"]).toBe("GET, POST, HEAD, OPTIONS");
    expect((await ask("TRACE2 /b/things")).status).toBe(405);
    expect(calls).toEqual([]);
  });

  it("ignores inherited properties", async () => {
    const { ask, calls } = serving(api);
    await ask("POST /v1/things", {
      raw: '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
      headers: { "content-type": "application/json" },
    });
    const body = calls[0]?.input["body"] as object;
    expect([Object.keys(body), "admin" in body, "admin" in {}]).toEqual([["__proto__", "constructor"], false, false]);
  });
});
