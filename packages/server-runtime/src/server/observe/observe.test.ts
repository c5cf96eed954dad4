import { AsyncLocalStorage } from "node:async_hooks";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { addIssueAt, isObject, prefixPaths, type Check } from "../../http/index.js";
import { adapterNames, adapters } from "../adapters/adapters.support.js";
import { createBaseServer } from "../create-server.js";
import { OperationError } from "../errors/errors.js";
import type { AnyHandlers } from "../handlers.js";
import type { BaseServerOptions, LogEntry } from "../options.js";
import { callers, createTestServer, describeApi } from "../test-server.support.js";
import type { ObservedOutcome, ObservedRequest, ObserveRequest } from "./observe.js";

const secret = "a5ecret-of-the-client";

/** Rejects every property, and those of `tags`, whose keys clients choose. */
const rejectAll: Check = (value, issues) => {
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) addIssueAt(issues, key, "type", "number");
  for (const key of Object.keys(isObject(value["tags"]) ? value["tags"] : {})) {
    const before = issues.length;
    addIssueAt(issues, key, "length", 3);
    prefixPaths(issues, before, "tags");
  }
};

const known = { taken: { status: 409, reason: "It is taken" } };
const api = describeApi({
  lines: { get: "GET /things/{id}", make: "POST /things" },
  bodies: { make: { contents: { "application/json": { check: rejectAll } } } },
  known,
  fieldNames: ["name", "tags"],
  sharedErrors: { "no-token": { status: 401, reason: "No token" } },
  sharedErrorByStatus: { 401: "no-token" },
  limits: { get: { rates: [{ limit: { kind: "rate", id: "reads", max: 2, windowSeconds: 60 } }] } },
});

interface Seen {
  readonly begun: Omit<ObservedRequest, "header">[];
  readonly steps: string[];
  readonly outcomes: ObservedOutcome[];
}

function observer(): Seen & { readonly observe: ObserveRequest } {
  const seen: Seen = { begun: [], steps: [], outcomes: [] };
  return {
    ...seen,
    observe: ({ header: _header, ...request }) => {
      seen.begun.push(request);
      return {
        step: ({ name, isPassed }) => void seen.steps.push(isPassed ? name : `${name} failed`),
        end: (outcome) => void seen.outcomes.push(outcome),
      };
    },
  };
}

/** Without durations, which differ. */
const facts = ({ durationMs, ...outcome }: ObservedOutcome) => {
  expect(durationMs).toBeGreaterThanOrEqual(0);
  return outcome;
};

const completed = {
  user: "ann",
  error: undefined,
  thrown: undefined,
  limits: [],
  issues: [],
  transitions: [],
  requestBytes: 0,
};

describe("an observer", () => {
  it("sees the begin, the steps and the end of a request", async () => {
    const { observe, begun, steps, outcomes } = observer();
    const { ask } = createTestServer(api, { get: () => ({ status: 200, body: { a: "ä" } }) }, { observe });
    await ask("GET /v1/things/5?secret=1");
    expect(begun).toEqual([
      { operation: "get", method: "GET", route: "/v1/things/{id}", requestId: "r", scheme: "http" },
    ]);
    expect(steps).toEqual(["authentication", "rates", "handler", "decoding", "response", "handler", "response"]);
    expect(outcomes.map(facts)).toEqual([{ ...completed, status: 200, responseBytes: 10 }]);
  });

  it("sees issues with names of the description only", async () => {
    const { observe, steps, outcomes } = observer();
    const { ask } = createTestServer(api, {}, { observe });
    const body = { name: secret, [secret]: 1, tags: { [secret]: 1, name: 1 } };
    expect((await ask("POST /v1/things", { body })).status).toBe(400);
    expect(outcomes[0]?.issues).toEqual([
      { in: "body", field: "/name", code: "type" },
      { in: "body", field: "/*", code: "type" },
      { in: "body", field: "/tags", code: "type" },
      { in: "body", field: "/tags/*", code: "length" },
      { in: "body", field: "/tags/name", code: "length" },
    ]);
    expect(steps.at(-1)).toBe("decoding failed");
    expect(JSON.stringify(outcomes)).not.toContain(secret);
  });

  it.each([
    [
      "a documented error",
      () => Promise.reject(new OperationError("taken", { reason: secret })),
      409,
      "taken",
      undefined,
    ],
    ["an error of a class", () => Promise.reject(new RangeError(secret)), 500, undefined, "RangeError"],
    ["a value that is no error", () => Promise.reject(secret), 500, undefined, "Error"],
    ["an error response", () => ({ status: 409, body: { secret } }), 409, undefined, undefined],
  ])("sees %s without its text", async (_, get, status, error, thrown) => {
    const { observe, outcomes } = observer();
    const { ask } = createTestServer(api, { get }, { observe });
    await ask("GET /v1/things/5");
    expect(outcomes[0]).toMatchObject({ status, error, thrown });
    expect(JSON.stringify(outcomes)).not.toContain(secret);
  });

  it("sees which limit a request has reached, and who sent it", async () => {
    const { observe, outcomes } = observer();
    const { ask } = createTestServer(api, {}, { observe });
    for (let sent = 0; sent < 3; sent += 1) await ask("GET /v1/things/5");
    await ask("GET /v1/things/5", { token: null });
    expect(outcomes.map(({ status, limits, user, error }) => ({ status, limits, user, error }))).toEqual([
      { status: 200, limits: [], user: "ann", error: undefined },
      { status: 200, limits: [], user: "ann", error: undefined },
      { status: 429, limits: ["reads"], user: "ann", error: undefined },
      { status: 401, limits: [], user: undefined, error: "no-token" },
    ]);
  });

  it("sees the states of the objects that an operation changes", async () => {
    const rule = {
      stateMachine: "DoorState",
      resource: "Door",
      field: "state",
      transitions: [{ from: ["open"], error: "taken" }],
    };
    const doors = describeApi({
      lines: { close: "POST /doors/{door}" },
      known,
      resources: { Door: { owner: [] } },
      operationResources: {
        close: {
          path: [{ parameter: "door", to: "Door", by: "id" }],
          body: [],
          target: { resource: "Door", parameter: "door" },
        },
      },
      stateRules: { close: [rule] },
    });
    const { observe, outcomes } = observer();
    const load = ({ values }: { readonly values: readonly unknown[] }) =>
      values.map((id) => ({ id, state: id === 1 ? "open" : "shut" }));
    const { ask } = createTestServer(doors, {}, { observe, resources: { Door: { load } } });
    await ask("POST /v1/doors/1");
    await ask("POST /v1/doors/2");
    expect(outcomes.map(({ status, transitions }) => [status, transitions])).toEqual([
      [200, [{ stateMachine: "DoorState", from: "open", isAllowed: true }]],
      [409, [{ stateMachine: "DoorState", from: "shut", isAllowed: false }]],
    ]);
  });

  it("sees requests that no operation has, with a method that HTTP has or none", async () => {
    const { observe, begun, outcomes } = observer();
    const { ask } = createTestServer(api, {}, { observe });
    await ask("GET /v1/nothing");
    await ask("DELETE /v1/things/5");
    await ask("SECRET /v1/things/5");
    await ask("GET /elsewhere");
    expect(begun.map(({ operation, method, route }) => [operation, method, route])).toEqual([
      [undefined, "GET", undefined],
      [undefined, "DELETE", undefined],
      [undefined, "_OTHER", undefined],
      [undefined, "GET", undefined],
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([404, 405, 405, 404]);
  });

  it("runs the request in its context, within those of observers before it", async () => {
    const context = new AsyncLocalStorage<string>();
    const within =
      (name: string): ObserveRequest =>
      () => ({
        run: (handle) => context.run(`${context.getStore() ?? ""}/${name}`, handle),
      });
    const seen: unknown[] = [];
    const handlers = {
      get: async () => {
        await wait(0);
        seen.push(context.getStore());
        return { status: 200, body: {} };
      },
    };
    const { ask } = createTestServer(api, handlers, { observe: [within("a"), within("b")] });
    expect((await ask("GET /v1/things/5")).status).toBe(200);
    expect(seen).toEqual(["/a/b"]);
  });

  const fail = (): never => {
    throw new Error("observer");
  };
  const reject = (): never => Promise.reject(new Error("observer")) as never;
  it.each<[string, ObserveRequest]>([
    ["throws at the begin", fail],
    ["rejects at the begin", reject],
    ["throws in each call", () => ({ run: fail, step: fail, end: fail })],
    ["rejects in each call", () => ({ run: reject, step: reject, end: reject })],
    ["runs nothing", () => ({ run: () => fail() })],
    [
      "runs the request twice",
      () => ({
        run: (handle) => {
          void handle();
          handle();
          return fail();
        },
      }),
    ],
  ])("that %s changes no response, and is logged", async (_, failing) => {
    const { observe, outcomes } = observer();
    const { ask, log, calls } = createTestServer(api, {}, { observe: [failing, observe] });
    expect((await ask("GET /v1/things/5")).status).toBe(200);
    expect(calls.length).toBe(1);
    expect(outcomes).toHaveLength(1);
    expect(new Set(log.map(({ message }) => message))).toEqual(new Set(["observer"]));
  });
});

describe.each(adapterNames)("on %s", (name) => {
  const start = async (handlers: AnyHandlers, options: BaseServerOptions = {}) => {
    const log: LogEntry[] = [];
    const authenticate = { bearer: (token: string) => callers[token] && { caller: callers[token] } };
    const server = createBaseServer(api, handlers, { authenticate, log: (entry) => log.push(entry), ...options });
    const { port, close } = await adapters[name](server);
    onTestFinished(close);
    return { port, url: `http://127.0.0.1:${port}/v1`, log };
  };
  const headers = { authorization: "Bearer ann" };

  it("an observer sees the size of a body, and the end of a stream", async () => {
    const { observe, begun, outcomes } = observer();
    const large = "x".repeat(100_000);
    const handlers = {
      get: () => ({ status: 200, body: large }),
      make: () => ({ status: 200, body: { made: true } }),
    };
    const { url } = await start(handlers, { observe });
    expect(await (await fetch(`${url}/things/5`, { headers })).json()).toBe(large);
    const sent = { method: "POST", body: "[1]", headers: { ...headers, "content-type": "application/json" } };
    expect((await fetch(`${url}/things`, sent)).status).toBe(200);
    expect(begun.map(({ operation, scheme }) => [operation, scheme])).toEqual([
      ["get", "http"],
      ["make", "http"],
    ]);
    expect(outcomes.map(facts)).toEqual([
      { ...completed, status: 200, responseBytes: 100_002 },
      { ...completed, status: 200, requestBytes: 3, responseBytes: 13 },
    ]);
  });

  it("an observer sees that the client disconnects", async () => {
    let ended = (_outcome: ObservedOutcome): void => {};
    const outcome = new Promise<ObservedOutcome>((resolve) => (ended = resolve));
    const { port, log } = await start(
      { get: () => ({ status: 200 }), make: () => ({ status: 200 }) },
      {
        observe: () => ({ end: ended }),
      },
    );
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    const head =
      "POST /v1/things HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\nContent-Type: application/json";
    socket.write(`${head}\r\nContent-Length: 50\r\n\r\n{`, () => socket.destroy());
    expect(facts(await outcome)).toEqual({
      ...completed,
      status: undefined,
      thrown: "ClientDisconnectedError",
      requestBytes: 50,
      responseBytes: expect.any(Number) as number,
    });
    expect(log).toEqual([]);
  });
});
