import { describe, expect, it } from "vitest";
import { binaryBody, type BodyDefinition } from "../http/index.js";
import { createBaseServer } from "./create-server.js";
import { OperationError } from "./errors/errors.js";
import type { ContentTooLargeError } from "./http/http-request.js";
import type { Transaction } from "./options.js";
import type { RequestContext } from "./request/request-context.js";
import { house, houses, storedRows } from "./resources/resource-fixture.support.js";
import type { StateRule } from "./state-machines/state-rules.js";
import { describeApi, createTestServer, storesOf } from "./test-server.support.js";

const known = { taken: { status: 409, reason: "It is taken" } };
const api = describeApi({ lines: { get: "GET /things", make: "POST /things" }, known });
const answered = { status: 200, body: {} };

describe("a transaction", () => {
  /** Commits what is written if it succeeds. */
  const database = () => {
    const rows: string[] = [];
    const transaction: Transaction<
      RequestContext & { readonly write: (text: string) => void },
      RequestContext
    > = async (_, run) => {
      const begun: string[] = [];
      const result = await run({ write: (text) => begun.push(text) });
      rows.push(...begun);
      return result;
    };
    return { rows, transaction: transaction as unknown as Transaction<RequestContext> };
  };
  const writing = (response: () => unknown) => ({
    make: (_: unknown, call: RequestContext) => {
      (call as RequestContext & { readonly write: (text: string) => void }).write("row");
      return response();
    },
  });

  it.each([
    ["commits on success", () => answered, 200, ["row"]],
    ["rolls back on an error", () => Promise.reject(new OperationError("taken")), 409, []],
    ["rolls back an error response that a handler returns", () => ({ status: 409, body: { no: true } }), 409, []],
    ["rolls back on an exception", () => Promise.reject(new Error("x")), 500, []],
    ["rolls back on an undocumented response", () => ({ status: 201, body: {} }), 500, []],
  ])("%s", async (_, response, status, kept) => {
    const { rows, transaction } = database();
    const { ask } = createTestServer(api, writing(response), { transaction });
    expect([(await ask("POST /v1/things")).status, rows]).toEqual([status, kept]);
  });

  it("sends an error response that a handler returns unchanged", async () => {
    const { ask, log } = createTestServer(api, { make: () => ({ status: 409, body: { no: true } }) });
    expect([(await ask("POST /v1/things")).text, log]).toEqual(['{"no":true}', []]);
  });

  it("that cannot be committed is an internal error, and so is one that runs nothing", async () => {
    const failing: Transaction<RequestContext> = async (_, run) => {
      await run({});
      throw new Error("the disk is full");
    };
    const { ask, log } = createTestServer(api, {}, { transaction: failing });
    expect((await ask("POST /v1/things")).status).toBe(500);
    expect(log.map(({ message }) => message)).toEqual(["the disk is full"]);
    const idle = createTestServer(api, {}, { transaction: async () => undefined as never });
    expect([(await idle.ask("POST /v1/things")).status, idle.log.length, idle.calls.length]).toEqual([500, 1, 0]);
  });

  it("that is retried starts with the sent body", async () => {
    const twice: Transaction<RequestContext> = async (_, run) => {
      await run({});
      return run({});
    };
    const more = {
      pointer: ["a"],
      rules: [{ set: { kind: "from", from: { root: "request", part: "body", pointer: ["a"] }, times: 2 } }],
    } as const;
    const { ask, calls } = createTestServer({ ...api, valueRules: { make: [more] } }, {}, { transaction: twice });
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
    const raw = { ...api, serializers: { make: { 200: { "image/x": (value: unknown) => value } } } };
    const failing: Transaction<RequestContext> = async (_, run) => {
      await run({});
      throw new Error("x");
    };
    const options = { validateResponses: "off", transaction: failing } as const;
    await createTestServer(raw, { make: () => ({ status: 200, body: body("not committed") }) }, options).ask(
      "POST /v1/things",
    );
    await createTestServer(raw, { make: () => ({ status: 201, body: body("not described") }) }).ask("POST /v1/things");
    expect(cancelled).toEqual(["not committed", "not described"]);
  });
});

describe("without a transaction", () => {
  const states: Readonly<Record<string, readonly StateRule[]>> = {
    act: [{ stateMachine: "M", resource: "House", field: "state", transitions: [{ from: ["off"], error: "taken" }] }],
  };
  const target = { resource: "House", parameter: "house" };

  it("fifty concurrent requests each see the changes of the one before, and an error blocks no other", async () => {
    const row = { id: 1, owner: { account: "a" }, state: "off", left: 5 };
    const acting = houses({
      lines: { act: "POST /houses/{house}" },
      stateRules: states,
      operationResources: { act: { path: [house], body: [], target } },
    });
    const { ask, log } = createTestServer(
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
    const reported = await Promise.all(Array.from({ length: 50 }, () => ask("POST /v1/houses/1")));
    const count = (status: number) => reported.filter((each) => each.status === status).length;
    expect([count(200), count(500), count(400), row.left, log.length]).toEqual([4, 1, 45, 0, 1]);
  });

  it("a slow client delays only requests to the same path", async () => {
    const body: BodyDefinition = { contents: { "image/x": { decode: binaryBody } } };
    const acting = houses({
      lines: { act: "POST /houses/{house}", put: "PUT /houses/{house}" },
      bodies: { put: body },
      stateRules: { ...states, put: states["act"] ?? [] },
      operationResources: Object.fromEntries(["act", "put"].map((each) => [each, { path: [house], body: [], target }])),
    });
    const rows = [1, 2].map((id) => ({ id, owner: { account: "a" }, state: "off" }));
    const read = async ({ body: sent }: { readonly body?: unknown }) => {
      await new Response(sent as ReadableStream).text();
      return answered;
    };
    const { ask, calls } = createTestServer(acting, { put: read }, { resources: storesOf({ House: rows }).stores });
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

describe("an operation without a path in the description", () => {
  const linked = houses({
    lines: { put: "PUT" },
    bodies: { put: { contents: { "image/x": { decode: binaryBody } } } },
    security: { put: [] },
    operationResources: { put: { path: [], body: [], target: { resource: "House" } } },
  });
  const put = { "content-type": "image/x" };

  it("has the path of the option, and loads what it names", async () => {
    const row = { id: 1 };
    const target = ({ ticket }: Readonly<Record<string, string>>) => (ticket === "a b" ? row : undefined);
    const links = { put: { path: "/uploads/{ticket}", target } };
    const { ask, calls } = createTestServer(linked, {}, { operationRoutes: links, resources: storedRows().stores });
    const reported = async (path: string, line = "PUT") =>
      (await ask(`${line} ${path}`, { token: null, raw: "x", headers: put })).status;
    expect([await reported("/uploads/a%20b"), await reported("/uploads/b"), await reported("/uploads/%ff")]).toEqual([
      200, 404, 404,
    ]);
    expect([
      await reported("/uploads"),
      await reported("/v1/uploads/a%20b"),
      await reported("/uploads/a%20b/c"),
    ]).toEqual([404, 404, 404]);
    expect([await reported("/uploads/a%20b", "POST"), await reported("/uploads/a%20b", "OPTIONS")]).toEqual([405, 204]);
    expect(calls.map(({ input: { route, target: found } }) => [route, found])).toEqual([[{ ticket: "a b" }, row]]);
  });

  it("is 404 if its target is null, or without the option", async () => {
    const links = { put: { path: "/uploads/{ticket}", target: () => null as never } };
    const { ask, calls } = createTestServer(linked, {}, { operationRoutes: links });
    expect((await ask("PUT /uploads/a", { raw: "x", headers: put })).status).toBe(404);
    expect((await createTestServer(linked).ask("PUT /uploads/a", { raw: "x", headers: put })).status).toBe(404);
    expect(calls).toEqual([]);
  });
});

describe("a streamed body", () => {
  const streamed = describeApi({
    lines: { put: "PUT /file" },
    bodies: { put: { contents: { "image/x": { decode: binaryBody } } } },
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
    const { ask, calls, log } = createTestServer(given, { put: read });
    const length: Readonly<Record<string, string>> = isDeclared ? { "content-length": String(text.length) } : {};
    const reported = await ask("PUT /v1/file", { raw: send(text), headers: { "content-type": "image/x", ...length } });
    return [reported.status, reported.text, calls.length, log.length];
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
      await new Response(body as ReadableStream).text().catch((error: ContentTooLargeError) => {
        limit = error.limit;
      });
      return answered;
    };
    const { ask } = createTestServer(streamed, { put: caught });
    await ask("PUT /v1/file", { raw: send("123456"), headers: { "content-type": "image/x" } });
    expect(limit).toBe(5);
  });
});

describe("a server", () => {
  it("requires a handler for each operation", async () => {
    expect(() => createBaseServer(api, { get: () => answered }, {})).toThrow(
      'Missing handlers: make. Write them, or set missingHandlers: "not-implemented".',
    );
    const named = describeApi({ lines: { toString: "GET /things" } });
    expect(() => createBaseServer(named, {}, {})).toThrow("Missing handlers: toString");
    expect(createBaseServer(api, {}, { missingHandlers: "not-implemented" })).toBeDefined();
  });

  it("has one or several configured base paths", async () => {
    const reported = async (basePath: string | readonly string[], path: string) =>
      (await createTestServer(api, {}, { basePath }).ask(`GET ${path}`)).status;
    expect([
      await reported("/a", "/a/things"),
      await reported("/a", "/v1/things"),
      await reported("/", "/things"),
    ]).toEqual([200, 404, 200]);
    const both = ["/a", "/b/c/"];
    expect([
      await reported(both, "/a/things"),
      await reported(both, "/b/c/things"),
      await reported(both, "/b/things"),
    ]).toEqual([200, 200, 404]);
  });

  it("responds equally below each base path, and to each method", async () => {
    const { ask, calls } = createTestServer(api, {}, { basePath: ["/a", "/b"] });
    for (const line of ["GET /a/things", "GET /b/things", "HEAD /a/things", "HEAD /b/things", "POST /b/things"])
      expect([line, (await ask(line, { token: null })).status]).toEqual([line, 401]);
    expect((await ask("OPTIONS /b/things", { token: null })).headers["allow"]).toBe("GET, POST, HEAD, OPTIONS");
    expect((await ask("TRACE2 /b/things")).status).toBe(405);
    expect(calls).toEqual([]);
  });

  it("ignores inherited properties", async () => {
    const { ask, calls } = createTestServer(api);
    await ask("POST /v1/things", {
      raw: '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
      headers: { "content-type": "application/json" },
    });
    const body = calls[0]?.input["body"] as object;
    expect([Object.keys(body), "admin" in body, "admin" in {}]).toEqual([["__proto__", "constructor"], false, false]);
  });
});
