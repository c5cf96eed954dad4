import { describe, expect, it } from "vitest";
import { fetchHandler } from "../adapters/fetch/index.js";
import { createBaseServer } from "../create-server.js";
import { OperationError } from "../errors/errors.js";
import { houses, storedRows } from "../resources/resource-fixture.support.js";
import { describeApi, createTestServer, type TestRequest } from "../test-server.support.js";

const api = describeApi({ lines: { get: "GET /things", make: "POST /things" } });
const answered = { status: 200, body: {} };

describe("an error in the code of a user is a 500, and logged once", () => {
  const fail = (): never => {
    throw new Error("x");
  };
  const failing = async (): Promise<never> => fail();
  const rated = {
    ...api,
    limits: { get: { rates: [{ limit: { kind: "rate", id: "r", max: 1, windowSeconds: 1 } }] } },
  } as const;
  const read = houses({
    lines: { get: "GET /things" },
    operationResources: { get: { path: [], body: [], list: "House" } },
    grants: { get: [{ kind: "named", name: "g" }] },
  });
  const eve: TestRequest = { token: "eve" };

  it.each([
    ["authenticate", api, { authenticate: { bearer: fail } }, {}],
    ["authenticate, later", api, { authenticate: { bearer: failing } }, {}],
    ["grants", read, { grants: fail }, eve],
    ["grants, later", read, { grants: failing }, eve],
    ["transaction", api, { transaction: fail }, {}],
    ["transaction, later", api, { transaction: failing }, {}],
    ["clock", api, { clock: fail }, {}],
    ["requestId", api, { requestId: fail }, {}],
    ["limits.store", rated, { limits: { store: { consume: fail } } }, {}],
    ["limits.store, later", rated, { limits: { store: { consume: failing } } }, {}],
  ])("%s", async (_, given, options, asked) => {
    const { ask, log, calls } = createTestServer(given, {}, options);
    const { status, text, headers } = await ask("GET /v1/things", asked);
    expect([status, text]).toEqual([500, '{"errors":[{"reason":"Internal server error"}]}']);
    expect(log.map(({ message, requestId }) => [message, requestId])).toEqual([["x", headers["x-request-id"]]]);
    expect(calls).toEqual([]);
  });

  it.each(["load", "owner", "parent"])("resources: %s", async (name) => {
    const path = [{ parameter: "room", to: "Room", by: "id" }];
    const rooms = houses({ lines: { get: "GET /rooms/{room}" }, operationResources: { get: { path, body: [] } } });
    const { House, Room } = storedRows().stores;
    const resources = {
      House: { ...House, ...(name === "owner" ? { owner: fail } : {}) },
      Room: { ...Room, [name]: fail },
    };
    const { ask, log } = createTestServer(rooms, {}, { resources });
    expect([(await ask("GET /v1/rooms/10")).status, log.map(({ message }) => message)]).toEqual([500, ["x"]]);
  });

  it.each(["GET /v1/nothing", "OPTIONS /v1/things", "DELETE /v1/things", "GET /elsewhere"])(
    "requestId, of %s",
    async (line) => {
      const { ask, log } = createTestServer(api, {}, { requestId: fail });
      expect([(await ask(line)).status, log.map(({ message }) => message)]).toEqual([500, ["x"]]);
    },
  );

  it.each([
    ["that throws", fail],
    ["that returns nothing", () => undefined],
    ["that JSON cannot represent", () => 5n],
  ])("errorBody %s", async (_, errorBody) => {
    const { ask, log } = createTestServer(api, {}, { errorBody });
    const { status, text } = await ask("GET /v1/nothing");
    expect([status, text, log.length]).toEqual([500, '{"errors":[{"reason":"Internal server error"}]}', 1]);
  });

  it.each([
    ["that throws", fail],
    ["that fails later", failing as () => unknown],
  ])("a log %s", async (_, log) => {
    const written: unknown[] = [];
    const { error } = console;
    console.error = (text: string) => written.push(text);
    try {
      expect((await createTestServer(api, { get: fail }, { log }).ask("GET /v1/things")).status).toBe(500);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      console.error = error;
    }
    expect(written).toEqual(["get (r) failed: x", "get (r) failed: the option `log` failed"]);
  });

  it("a body that another handler has read", async () => {
    const log: string[] = [];
    const server = createBaseServer(
      api,
      { get: () => answered, make: () => answered },
      {
        authenticate: { bearer: () => ({ caller: { user: "ann" } }) },
        log: ({ message }) => log.push(message),
      },
    );
    const headers = { authorization: "Bearer x", "content-type": "application/json" };
    const request = new Request("http://localhost/v1/things", { method: "POST", headers, body: "{}" });
    await request.text();
    expect((await fetchHandler(server)(request)).status).toBe(500);
    expect(log).toEqual([expect.stringContaining("body was read before")]);
  });

  it("a handler that throws an undocumented error", async () => {
    const { ask, log } = createTestServer(api, { get: () => Promise.reject(new OperationError("constructor")) });
    expect([(await ask("GET /v1/things")).status, log.map(({ message }) => message)]).toEqual([
      500,
      ['get threw the undocumented error "constructor". Throw one that the description documents.'],
    ]);
  });

  it("a limit whose error is not documented", async () => {
    const limits = { make: { bytes: { max: 1, error: "nowhere" } } };
    const { ask, log } = createTestServer({ ...api, limits });
    expect([(await ask("POST /v1/things", { body: {} })).status, log.length]).toEqual([500, 1]);
  });
});

it("headers reveal nothing that the caller may not see", async () => {
  const { ask } = createTestServer(api, { get: () => Promise.reject(new Error("a secret")) });
  const { headers, text } = await ask("GET /v1/things");
  expect(JSON.stringify([headers, text])).not.toContain("secret");
});

describe("error responses", () => {
  it.each([
    [{}, "application/json"],
    [{ errorType: "application/problem+json" }, "application/problem+json"],
  ])("with %j are %s", async (options, type) => {
    const { headers } = await createTestServer(api, {}, options).ask("GET /v1/nothing");
    expect(headers["content-type"] ?? headers["Content-Type"]).toBe(type);
  });
});
