import { describe, expect, it } from "vitest";
import { hasField, house, houses, resources, room, storedRows } from "../resources/resource-fixture.support.js";
import type { ServerDefinition } from "../server-definition.js";
import { createTestServer, type TestRequest } from "../test-server.support.js";
import type { Grant, Grants } from "./grants.js";

const levels = { read: [], write: ["read"] };
const grammar: ServerDefinition["scopeGrammar"] = {
  scheme: "bearer",
  areas: [],
  levels,
  all: "*",
  separator: ",",
  errors: { missing: "", invalid: "", scope: "" },
};
const onHouse = { root: "request", part: "path", name: "house", pointer: [] } as const;
const onRooms = { root: "request", part: "body", pointer: ["rooms", "*"] } as const;

/** `POST /houses/{house}` with these grants, by callers with different grants. */
function asking(grants: readonly Grant[], held: Grants, given: Partial<ServerDefinition> = {}) {
  const path = [house];
  const body = [room("rooms.*", { where: hasField("isBroken", false), onConstraintViolation: "broken" }), room("last")];
  const api = houses({
    lines: { act: "POST /houses/{house}" },
    scopeGrammar: grammar,
    operationResources: { act: { path, body, target: { resource: "House", parameter: "house" } } },
    grants: { act: grants },
    ...given,
  });
  let asked = 0;
  const holds = () => {
    asked += 1;
    return held;
  };
  const { ask, log } = createTestServer(api, {}, { resources: storedRows().stores, grants: holds });
  return {
    act: async (id: number, request: TestRequest = { token: "eve" }) =>
      (await ask(`POST /v1/houses/${id}`, request)).status,
    ask,
    log,
    get asked() {
      return asked;
    },
  };
}

const entity = (level: string, given: Partial<Grant> = {}) =>
  ({ kind: "entity", on: onHouse, level, ...given }) as Grant;
const on = (id: number, permissions: string | null) => ({ named: {}, houses: [{ id, permissions }] });

describe("a grant on a resource of the path", () => {
  it("needs that level or a higher one; without any grant the resource is hidden", async () => {
    const level = async (permissions: string | null) => asking([entity("write")], on(1, permissions)).act(1);
    expect(await Promise.all(["write", "read", "other", "constructor", "", null].map(level))).toEqual([
      200, 403, 403, 403, 403, 404,
    ]);
    expect([
      await asking([entity("read")], on(1, "write")).act(1),
      await asking([entity("read")], on(2, "write")).act(1),
    ]).toEqual([200, 404]);
    expect(await asking([entity("read")], { named: {} }).act(1)).toBe(404);
  });

  it("is required of callers that need grants only, and loaded once", async () => {
    const restricted = asking([entity("read"), entity("write")], on(1, "write"));
    expect([await restricted.act(1), restricted.asked]).toEqual([200, 1]);
    const free = asking([entity("write")], { named: {} });
    expect([await free.act(1, { token: "ann" }), free.asked]).toEqual([200, 0]);
  });

  it("does not apply to another account's resource", async () => {
    expect(await asking([entity("read")], on(3, "write")).act(3)).toBe(404);
  });

  it("is required of a user whom a database marks with a 1", async () => {
    const api = houses({
      lines: { act: "POST /houses/{house}" },
      operationResources: { act: { path: [house], body: [] } },
      grants: { act: [entity("read")] },
    });
    const caller = { user: "x", account: { id: "a" }, limited: 1 as never };
    const authenticate = { bearer: () => ({ caller }) };
    const options = { resources: storedRows().stores, grants: () => ({ named: {} }), authenticate };
    expect((await createTestServer(api, {}, options).ask("POST /v1/houses/1")).status).toBe(404);
  });

  it("is an error of the description if nothing is looked up", async () => {
    const { act, log } = asking([{ kind: "entity", on: { ...onHouse, name: "other" }, level: "read" }], on(1, "read"));
    expect([await act(1), log.map(({ message }) => message)]).toEqual([
      500,
      ['grants: the path parameter "other" is not a reference. Generate the package again.'],
    ]);
  });
});

describe("a grant of another kind", () => {
  it("has a name, and has to be true", async () => {
    const held = async (value: unknown) => asking([{ kind: "named", name: "add" }], { named: { add: value } }).act(1);
    expect([await held(true), await held(false), await held("true"), await held(undefined)]).toEqual([
      200, 403, 403, 403,
    ]);
    expect(await asking([{ kind: "named", name: "constructor" }], { named: {} }).act(1)).toBe(403);
  });

  it("requires an attribute of the caller", async () => {
    const { act } = asking([{ kind: "caller", caller: { limited: [false] } }], { named: {} });
    expect([await act(1), await act(1, { token: "ann" })]).toEqual([403, 200]);
  });

  it("requires one of several values, of a caller that needs no grant, too", async () => {
    const roles: Partial<ServerDefinition> = { callers: { needNoGrants: { role: ["admin"] }, namedGrants: "named" } };
    const api = houses({
      lines: { act: "POST /houses/{house}" },
      grants: { act: [{ kind: "caller", caller: { role: ["doctor", "nurse"] } }] },
      ...roles,
    });
    const status = async (role: unknown) => {
      const authenticate = { bearer: () => ({ caller: { user: "x", role } }) };
      return (await createTestServer(api, {}, { authenticate }).ask("POST /v1/houses/1")).status;
    };
    expect(await Promise.all(["doctor", "nurse", "admin", "clerk", undefined, ["doctor"]].map(status))).toEqual([
      200, 200, 200, 403, 403, 403,
    ]);
  });

  it("is needed by every caller where the description exempts none", async () => {
    const { act } = asking([{ kind: "named", name: "add" }], {}, { callers: { namedGrants: "named" } });
    expect(await act(1, { token: "ann" })).toBe(403);
  });

  it("is not held by anonymous callers, who could otherwise do more than users", async () => {
    const anonymous = async (grant: Grant) =>
      asking([grant], { named: { add: true } }, { security: { act: [[{ scheme: "bearer", scopes: [] }], []] } }).act(
        4,
        {
          token: null,
        },
      );
    expect([
      await anonymous({ kind: "caller", caller: { limited: [false] } }),
      await anonymous({ kind: "named", name: "add" }),
    ]).toEqual([403, 403]);
    expect(await anonymous(entity("read"))).toBe(200);
  });

  it("may depend on a condition, also on references of the body", async () => {
    const act = async (when: Grant["when"], body: object) =>
      asking([{ kind: "caller", caller: { limited: [false] }, when: when ?? {} }], on(1, "read")).act(1, {
        token: "eve",
        body,
      });
    expect([await act({ body: hasField("a") }, { a: true }), await act({ body: hasField("a") }, { a: 1 })]).toEqual([
      403, 200,
    ]);
    const ten = hasField("id", 10);
    expect([await act({ refs: { last: ten } }, { last: 10 }), await act({ refs: { last: ten } }, {})]).toEqual([
      403, 200,
    ]);
    const last = { root: "refs", part: "last", pointer: ["id"] } as const;
    const compared = { compare: [last, "eq", { value: 10 }] } as const;
    expect([await act(compared, { last: 10 }), await act(compared, {})]).toEqual([403, 200]);
    const turned = { compare: [{ root: "request", part: "path", name: "house", pointer: [] }, "lt", last] } as const;
    expect([await act(turned, { last: 10 }), await act(turned, {})]).toEqual([403, 200]);
  });
});

describe("a grant on a resource of the body", () => {
  const onRoom: Grant = { kind: "entity", on: onRooms, level: "write" };

  it("is required on the ancestor of each", async () => {
    const held = {
      named: {},
      houses: [
        { id: 1, permissions: "write" },
        { id: 2, permissions: "read" },
      ],
    };
    const { act } = asking([onRoom], held);
    const rooms = (...ids: readonly number[]) => act(4, { token: "eve", body: { rooms: ids } });
    expect([await rooms(10), await rooms(10, 10), await rooms(), await rooms(40)]).toEqual([200, 200, 200, 404]);
    const { act: other } = asking([{ ...onRoom, on: { ...onRooms, pointer: ["last"] } }], held);
    expect([
      await other(4, { token: "eve", body: { last: 10 } }),
      await other(4, { token: "eve", body: { last: 20 } }),
    ]).toEqual([200, 403]);
  });

  it("is checked for each location, whatever the names on the path", async () => {
    const pointer = ["x", "*", "*"];
    const api = houses({
      lines: { act: "POST /things" },
      scopeGrammar: grammar,
      operationResources: { act: { path: [], body: [room("x.*.*")] } },
      grants: { act: [{ kind: "entity", on: { root: "request", part: "body", pointer }, level: "write" }] },
    });
    const grants = () => ({
      named: {},
      houses: [
        { id: 1, permissions: "read" },
        { id: 2, permissions: "write" },
      ],
    });
    const { ask } = createTestServer(api, {}, { resources: storedRows().stores, grants });
    // Both locations are x.a.b.c.
    const body = { x: { "a.b": { c: 10 }, a: { "b.c": 20 } } };
    expect((await ask("POST /v1/things", { token: "eve", body })).status).toBe(403);
  });
});

describe("a list", () => {
  const seen = async (resource: string, token: string | null, held: Grants = { named: {} }) => {
    const api = houses({
      lines: { all: "GET /all" },
      security: { all: [[{ scheme: "bearer", scopes: [] }], []] },
      operationResources: { all: { path: [], body: [], list: resource } },
      resources: { ...resources, Closed: { owner: ["account"], grants: "houses" } },
    });
    const { ask, calls } = createTestServer(api, {}, { resources: storedRows().stores, grants: () => held });
    await ask("GET /v1/all", { token });
    return calls[0]?.input["listScope"];
  };

  it("has the caller's rows, and public ones", async () => {
    expect(await seen("House", "ann")).toEqual({ owner: { account: "a" }, includePublic: true });
    expect(await seen("Closed", "ann")).toEqual({ owner: { account: "a" }, includePublic: false });
    expect(await seen("City", "ann")).toEqual({ includePublic: true });
    expect(await seen("Note", "bob")).toEqual({ owner: { user: "bob" }, includePublic: false });
  });

  it("has public rows for anonymous callers", async () => {
    expect(await seen("House", null)).toEqual({ includePublic: true });
    expect(await seen("Note", null)).toEqual({ includePublic: false });
  });

  it("has rows with grants for callers that need them", async () => {
    const held = [
      { id: 1, permissions: "read" },
      { id: 2, permissions: null },
      { id: 9, permissions: "write" },
    ];
    expect(await seen("Closed", "eve", { named: {}, houses: held })).toEqual({
      owner: { account: "a" },
      ids: [1, 9],
      includePublic: false,
    });
    expect(await seen("Closed", "eve")).toEqual({ owner: { account: "a" }, ids: [], includePublic: false });
    expect(await seen("Note", "eve")).toEqual({ owner: { user: "eve" }, includePublic: false });
  });

  it("has no rows of an owner that the caller is not", async () => {
    expect(await seen("Setting", "ann")).toEqual({
      owner: { user: "ann", client: undefined },
      ids: [],
      includePublic: false,
    });
  });
});
