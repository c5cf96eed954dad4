import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { addIssueAt, isObject, type Check } from "../../http/index.js";
import { OperationErrors } from "../errors/operation-errors.js";
import { createOperationPlan } from "../operation-plan.js";
import { hasField, house, houses, room, storedRows } from "../resources/resource-fixture.support.js";
import { ResponseBuilder } from "../response/response-builder.js";
import { createServerContext } from "../server-context.js";
import { createTestServer, storesOf, type TestDescription } from "../test-server.support.js";
import * as authentication from "./authentication.js";
import * as bodyResources from "./body-resources.js";
import * as changes from "./changes.js";
import * as decoding from "./decoding.js";
import * as grants from "./grants.js";
import * as handler from "./handler.js";
import { beforeTransaction, compileSteps, inTransaction, namedSteps } from "./index.js";
import * as limitSteps from "./limits.js";
import * as pathResources from "./path-resources.js";
import * as rates from "./rates.js";
import * as response from "./response.js";
import * as scopeSteps from "./scopes.js";
import type { StepFactory } from "./step.js";

/** By the names of their files, in the order of the page. */
const files: Readonly<Record<string, Readonly<Record<string, StepFactory>>>> = {
  authentication,
  scopes: scopeSteps,
  rates,
  decoding,
  "path-resources": pathResources,
  grants,
  "body-resources": bodyResources,
  changes,
  limits: limitSteps,
  handler,
  response,
};

/** `PUT /houses/{house}`, on the house. */
function changing(given: Partial<TestDescription>, line = "PUT /houses/{house}") {
  const target = { resource: "House", parameter: "house" };
  return houses({
    lines: { act: line },
    operationResources: { act: { path: [house], body: [], target } },
    ...given,
  });
}

const reasons = ({ status, text }: { readonly status: number; readonly text: string }) => {
  const { errors = [] } = JSON.parse(text) as { readonly errors?: readonly { field?: string; reason: string }[] };
  return [status, ...errors.map(({ field = "", reason }) => `${field}: ${reason}`)];
};

describe("the steps of an operation", () => {
  const stepsOf = (given: Partial<TestDescription>, line?: string) => {
    const api = changing(given, line);
    const plan = createOperationPlan(api.operations[0] as (typeof api.operations)[number], api);
    const server = createServerContext(api, {}, { options: {}, responses: new ResponseBuilder(api, {}) });
    const errors = new OperationErrors(plan.errors, api);
    const needed = inTransaction.filter((each) => each(plan, server, errors) !== undefined);
    expect(compileSteps(plan, server, errors).inTransaction).toHaveLength(needed.length);
    return [needed.map(({ name }) => name).slice(0, -responding.length), plan.isLocking, plan.isOrdered];
  };
  const responding = ["runHandler", "formatResponse", "checkResponse", "checkOutcome"];

  it("are those that the description needs", () => {
    const nothing = { act: { path: [], body: [] } };
    const get = ["lookupPath", "addRowsToInput"];
    const put = ["authenticateAgain", "lookupPath", "checkOwnership", "addRowsToInput"];
    expect(stepsOf({ operationResources: nothing }, "GET /houses/{house}")).toEqual([[], false, false]);
    expect(stepsOf({}, "GET /houses/{house}")).toEqual([get, false, false]);
    expect(stepsOf({})).toEqual([put, true, false]);
    const unique = { kind: "unique", id: "u", resource: "House", by: ["label"], within: "account" } as const;
    const uniqueness = { act: { unique: [unique] } };
    expect(stepsOf({ limits: uniqueness })).toEqual([put.toSpliced(-1, 0, "checkUniqueLimits"), true, true]);
    expect(stepsOf({ limits: uniqueness }, "GET /houses/{house}")).toEqual([
      get.toSpliced(-1, 0, "checkUniqueLimits"),
      false,
      false,
    ]);
  });

  it("end with the handler and its response", () => {
    expect(inTransaction.slice(-responding.length).map(({ name }) => name)).toEqual(responding);
  });

  it("are in files in the order of the README", async () => {
    const page = await readFile(new URL("../../../docs/server.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| /gm)].map(([, name]) => name ?? "");
    expect(rows.slice(0, 2 + Object.keys(files).length)).toEqual(["route", "method", ...Object.keys(files)]);
    const listed = [...beforeTransaction, ...inTransaction];
    expect(listed.filter((step) => !Object.values(files).some((file) => Object.values(file).includes(step)))).toEqual(
      [],
    );
    expect(
      Object.values(files).flatMap((file) => Object.values(file).filter((step) => !listed.includes(step))),
    ).toEqual([]);
    const byFile = Object.entries(files).map(([name, file]) => [name, new Set(Object.values(file))] as const);
    expect(Object.entries(namedSteps).map(([name, steps]) => [name, new Set(steps)])).toEqual(byFile);
    // The last two files also have steps that find early that they could not run.
    const positions = Object.values(files).map((file) =>
      listed.findIndex((step) => Object.values(file).includes(step)),
    );
    expect(positions.slice(0, -2)).toEqual(positions.slice(0, -2).toSorted((one, other) => one - other));
  });
});

describe("a plan", () => {
  it("throws if an operation has no security", () => {
    expect(() => createTestServer(changing({ security: {} }))).toThrow(
      "Missing security of operation act. Generate the package again.",
    );
  });
});

describe("a body that depends on stored data", () => {
  const short: Check = (value, issues) => {
    if (isObject(value) && value["label"] === "x") addIssueAt(issues, "label", "length", 3);
  };
  const content = {
    stored: { check: short, normalize: (value: unknown) => ({ ...(value as object), normalized: true }) },
  };

  it.each([
    ["application/json", { "application/json": content }],
    ["application/merge-patch+json", { "application/merge-patch+json": content }],
    ["application/merge-patch+json", { "application/json": {}, "application/merge-patch+json": content }],
    ["application/json", { "application/json": content, "application/merge-patch+json": {} }],
    ["application/json; charset=utf-8", { "application/*": content, "text/x": {} }],
  ])("is validated as %s for %j", async (type, contents) => {
    const { ask, calls } = createTestServer(
      changing({ bodies: { act: { contents } } }),
      {},
      { resources: storedRows().stores },
    );
    const put = (label: string) =>
      ask("PUT /v1/houses/1", { raw: JSON.stringify({ label }), headers: { "content-type": type } });
    expect((await put("x")).status).toBe(400);
    expect((await put("long")).status).toBe(200);
    expect(calls.map(({ input }) => input["body"])).toEqual([{ label: "long", normalized: true }]);
  });
});

describe("a ceiling", () => {
  const grammar = {
    scheme: "bearer",
    areas: [],
    levels: { read: [], write: ["read"] },
    all: "*",
    separator: ",",
    errors: { missing: "", invalid: "", scope: "" },
  };
  const exceeds = { status: 400, reason: "That is more than you have" };

  it.each([
    ["scopes", (wish: unknown) => ({ scopes: wish })] as const,
    ["all.*", (wish: unknown) => ({ all: ["a:read", wish] })] as const,
  ])("accepts %s, in any location", async (pointer, bodyOf) => {
    const atMost = { root: "caller", name: "scopes", pointer: [] } as const;
    const ceilings = { act: [{ pointer: pointer.split("."), atMost, error: "exceeds" }] };
    const asking = async (wish: unknown, scopes: string | undefined, given: Partial<TestDescription> = {}) => {
      const api = houses({
        lines: { act: "POST /things" },
        known: { exceeds },
        scopeGrammar: grammar,
        scopeCeilings: ceilings,
        ...given,
      });
      const caller = { user: "ann", ...(scopes === undefined ? {} : { scopes }) };
      const authenticate = { bearer: () => ({ caller }) };
      return (await createTestServer(api, {}, { authenticate }).ask("POST /v1/things", { body: bodyOf(wish) })).status;
    };
    expect([
      await asking("a:read", "a:write"),
      await asking("a:write", "a:write,b:read"),
      await asking("b:read", "*"),
    ]).toEqual([200, 200, 200]);
    expect([
      await asking("b:read", "a:write"),
      await asking("*", "a:read"),
      await asking("a:read,b:read", "a:read"),
    ]).toEqual([400, 400, 400]);
    expect([await asking(5, "a:read"), await asking("a:read", undefined), await asking(["b:read"], "a:read")]).toEqual([
      400, 400, 400,
    ]);
    expect(await asking("b:read", "a:read", { scopeGrammar: undefined })).toBe(400);
  });
});

describe("a public resource", () => {
  it.each([
    ["GET", 200],
    ["POST", 200],
    ["PUT", 403],
    ["PATCH", 403],
    ["DELETE", 403],
  ])("can only be changed by its owner: %s", async (method, status) => {
    const { ask } = createTestServer(changing({}, `${method} /houses/{house}`), {}, { resources: storedRows().stores });
    const of = async (id: number, token: string) => (await ask(`${method} /v1/houses/${id}`, { token })).status;
    expect([await of(4, "bob"), await of(1, "ann"), await of(4, "ann")]).toEqual([200, 200, status]);
  });

  it("has the documented error, if there is one", async () => {
    const closed = { status: 403, reason: "It is open to all" };
    const api = changing({
      known: { closed, "no-house": { status: 404, reason: "none" } },
      errorRules: { act: [{ id: "closed", when: { target: hasField("isOpen") }, pointer: [] }] },
    });
    const { ask } = createTestServer(api, {}, { resources: storedRows().stores });
    expect(reasons(await ask("PUT /v1/houses/4"))).toEqual([403, ": It is open to all"]);
    expect(reasons(await ask("PUT /v1/houses/4", { token: "bob" }))).toEqual([403, ": It is open to all"]);
  });
});

describe("error rules", () => {
  const errors = {
    low: { status: 400, field: "count", reason: "There are too few" },
    none: { status: 400, field: null, reason: "Something is wrong" },
    open: { status: 400, reason: "Something is wrong" },
  };
  const rule = (id: string, pointer: readonly string[], given: object = {}) => ({
    id,
    pointer,
    when: { sent: hasField("count", 0) },
    ...given,
  });
  const asking = async (rules: readonly ReturnType<typeof rule>[], body: unknown, kept: object = {}) => {
    const api = changing({ known: errors, errorRules: { act: rules } });
    const { stores } = storesOf({ House: [{ id: 1, owner: { account: "a" }, ...kept }] });
    return reasons(await createTestServer(api, {}, { resources: stores }).ask("PUT /v1/houses/1", { body }));
  };

  it("report the location of the object that they are about", async () => {
    expect(await asking([rule("low", [])], { count: 0 })).toEqual([400, "count: There are too few"]);
    expect(await asking([rule("low", [])], { count: 1 })).toEqual([200]);
    const pools = { pools: [{ count: 1 }, { count: 0 }, { count: 0 }] };
    expect(await asking([rule("low", ["pools", "*"])], pools)).toEqual([400, "pools.1.count: There are too few"]);
    expect(await asking([rule("open", ["pools", "*"])], pools)).toEqual([400, "pools.1: Something is wrong"]);
    expect(await asking([rule("none", ["pools", "*"])], pools)).toEqual([400, ": Something is wrong"]);
    expect(await asking([rule("low", ["by", "*"])], { by: { x: { count: 0 } } })).toEqual([
      400,
      "by.x.count: There are too few",
    ]);
    expect([await asking([rule("low", ["pools", "*"])], {}), await asking([rule("low", ["a"])], {})]).toEqual([
      [200],
      [200],
    ]);
  });

  it("are reported in order", async () => {
    expect(await asking([rule("none", []), rule("low", [])], { count: 0 })).toEqual([400, ": Something is wrong"]);
  });

  it("may be about the merged object", async () => {
    const whole = rule("low", [], { merged: ["count", "label"] });
    expect(await asking([whole], { label: "x" }, { count: 0 })).toEqual([400, "count: There are too few"]);
    expect(await asking([whole], { count: 1 }, { count: 0 })).toEqual([200]);
    expect(await asking([rule("low", [])], { label: "x" }, { count: 0 })).toEqual([200]);
    const items = rule("low", ["pools", "*"], { merged: ["pools"] });
    const pools = [{ count: 0 }];
    expect(await asking([items], { pools }, { pools: [] })).toEqual([400, "pools.0.count: There are too few"]);
  });

  it("do not apply to a request that changes nothing of it", async () => {
    const whole = rule("low", [], { merged: ["count"] });
    expect(await asking([whole], { label: "x" }, { count: 0 })).toEqual([200]);
    expect(await asking([whole], { count: 0 }, { count: 0 })).toEqual([200]);
    expect(await asking([whole], { count: 0 }, { count: 3 })).toEqual([400, "count: There are too few"]);
  });
});

describe("what has to be unique", () => {
  const unique = {
    kind: "unique",
    id: "u",
    resource: "House",
    by: ["label", "city"],
    within: "account",
    error: "taken",
  } as const;
  const asking = async (line: string, body: unknown) => {
    const seen: unknown[] = [];
    const api = changing({ limits: { act: { unique: [unique] } } }, line.replace("/1", "/{house}"));
    const { stores } = storesOf({ House: [{ id: 1, owner: { account: "a" }, label: "home", city: "ulm" }] });
    const taken = (values: { readonly label: string }, _: unknown, except: unknown) => {
      seen.push([values, (except as { readonly id?: number } | undefined)?.id]);
      return values.label === "other";
    };
    const { ask } = createTestServer(api, {}, { resources: stores, limits: { isTaken: { u: taken } } });
    return [...reasons(await ask(line.replace(" ", " /v1"), { body })), ...seen];
  };

  it("is checked for every creation", async () => {
    expect(await asking("POST /houses/1", { label: "other", city: "ulm" })).toEqual([
      400,
      "label: It is taken",
      [{ label: "other", city: "ulm" }, undefined],
    ]);
    expect(await asking("POST /houses/1", { label: "other" })).toEqual([200]);
    expect(await asking("POST /houses/1", { label: "other", city: null })).toEqual([200]);
  });

  it("is checked for a change with the unchanged fields, and not if nothing changes", async () => {
    expect(await asking("PUT /houses/1", { label: "other" })).toEqual([
      400,
      "label: It is taken",
      [{ label: "other", city: "ulm" }, 1],
    ]);
    expect(await asking("PATCH /houses/1", { city: "bonn" })).toEqual([200, [{ label: "home", city: "bonn" }, 1]]);
    expect(await asking("PUT /houses/1", { label: "home", city: "ulm" })).toEqual([200]);
    expect(await asking("PUT /houses/1", {})).toEqual([200]);
  });
});

describe("what has to be unique within a parent", () => {
  const unique = {
    kind: "unique",
    id: "u",
    resource: "Room",
    by: ["label"],
    within: "parent",
    error: "taken",
  } as const;
  const asking = async (lines: Readonly<Record<string, string>>, path: readonly object[], send: string) => {
    const parents: unknown[] = [];
    const [last] = path.slice(-1) as { readonly parameter: string; readonly to: string }[];
    const target = { resource: last?.to ?? "", parameter: last?.parameter ?? "" };
    const api = houses({
      lines,
      operationResources: { act: { path: path as never, body: [], target } },
      limits: { act: { unique: [unique] } },
    });
    const taken = (_: unknown, __: unknown, ___: unknown, parent: { readonly id: number }) => {
      parents.push(parent.id);
      return false;
    };
    const { stores } = storedRows();
    const { ask } = createTestServer(api, {}, { resources: stores, limits: { isTaken: { u: taken } } });
    return [(await ask(send, { body: { label: "x" } })).status, ...parents];
  };

  it("is checked within the parent of a new object, and within that of a changed one", async () => {
    const create = { act: "POST /houses/{house}/rooms" };
    expect(await asking(create, [house], "POST /v1/houses/2/rooms")).toEqual([200, 2]);
    const change = { act: "PUT /houses/{house}/rooms/{room}" };
    const inner = { ...house, parameter: "room", to: "Room" };
    expect(await asking(change, [house, inner], "PUT /v1/houses/1/rooms/10")).toEqual([200, 1]);
  });
});

describe("operations in progress", () => {
  it("are counted by the subject of the limit, up to the limit", async () => {
    const limit = { kind: "concurrency", id: "c", max: 2, error: "taken" } as const;
    const asking = async (count: number, per?: { root: "target"; pointer: readonly string[] }) => {
      const keys: unknown[] = [];
      const api = changing({ limits: { act: { concurrency: [{ limit, ...(per === undefined ? {} : { per }) }] } } });
      const unsettled = {
        c: (key: unknown) => {
          keys.push(key);
          return count;
        },
      };
      const { ask } = createTestServer(
        api,
        {},
        { resources: storedRows().stores, limits: { countInProgress: unsettled } },
      );
      return [...reasons(await ask("PUT /v1/houses/1")), ...keys];
    };
    expect(await asking(1)).toEqual([200, "ann"]);
    expect(await asking(2, { root: "target", pointer: ["id"] })).toEqual([400, ": It is taken", 1]);
  });
});

it("states are those of the object, by a field or by the store", async () => {
  const states = {
    act: [
      { stateMachine: "M", resource: "House", field: "state", transitions: [{ from: ["off"], error: "taken" }] },
      {
        stateMachine: "N",
        resource: "Room",
        field: "state",
        subject: { root: "request", part: "body", pointer: ["rooms", "*"] },
        transitions: [{ from: ["off"], error: "broken" }],
      },
    ],
  } as const;
  const api = changing({
    stateRules: states,
    operationResources: {
      act: { path: [house], body: [room("rooms.*")], target: { resource: "House", parameter: "house" } },
    },
  });
  const { stores } = storesOf({
    House: [
      { id: 1, owner: { account: "a" }, state: "off" },
      { id: 2, owner: { account: "a" }, state: "on" },
    ],
    Room: [
      { id: 10, parent: 1, state: "off" },
      { id: 11, parent: 1, state: "on" },
      { id: 12, parent: 1 },
    ],
  });
  const { ask, log } = createTestServer(api, {}, { resources: stores });
  const put = async (id: number, ...rooms: readonly number[]) =>
    reasons(await ask(`PUT /v1/houses/${id}`, { body: { rooms } }));
  expect([await put(1), await put(1, 10), await put(2, 10)]).toEqual([[200], [200], [400, ": It is taken"]]);
  expect(await put(1, 10, 11)).toEqual([400, ": The room is broken"]);
  expect([await put(1, 12), log.map(({ message }) => message)]).toEqual([
    [500, ": Internal server error"],
    ["Missing option `resources.Room.states.N`. Provide a function that returns the state of a row."],
  ]);
  const { stores: House } = storesOf({ House: [{ id: 1, owner: { account: "a" }, state: "on" }] });
  const reported = { House: { ...House["House"], states: { M: () => "off" } } };
  expect((await createTestServer(api, {}, { resources: reported }).ask("PUT /v1/houses/1")).status).toBe(200);
});
