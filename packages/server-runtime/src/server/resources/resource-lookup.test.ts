import { describe, expect, it } from "vitest";
import { createTestServer, storesOf, type Row, type TestServer } from "../test-server.support.js";
import { hasField, house, houses, resources, room, storedRows, tables } from "./resource-fixture.support.js";
import type { OperationResources } from "./resources.js";

const errors = ({ text }: { readonly text: string }) =>
  (JSON.parse(text) as { readonly errors: readonly { readonly field?: string; readonly reason: string }[] }).errors;

/** The statuses of consecutive requests. */
async function statuses(ask: TestServer["ask"], ...lines: readonly string[]): Promise<readonly number[]> {
  const found: number[] = [];
  for (const line of lines) found.push((await ask(line)).status);
  return found;
}

/** `GET /KIND/{id}`. */
function one(kind: string, by = "id") {
  const path = [{ parameter: "id", to: kind, by }];
  return houses({
    lines: { get: "GET /things/{id}" },
    operationResources: { get: { path, body: [], target: { resource: kind, parameter: "id" } } },
  });
}

describe("a resource in the path", () => {
  it.each([
    ["House", [1, 2, 4], [3, 5]],
    ["Room", [10, 20, 40], [30, 90, 91, 99]],
    ["Bed", [100], [900]],
    ["Diary", [1], [2, 3]],
    ["Note", [1], [2]],
    ["City", [1], [2]],
  ])("of a %s is the caller's own, public, or 404", async (kind, there, absent) => {
    const { ask, log } = createTestServer(one(kind), {}, { resources: storedRows().stores });
    for (const id of there) expect([id, (await ask(`GET /v1/things/${id}`)).status]).toEqual([id, 200]);
    for (const id of absent) expect([id, (await ask(`GET /v1/things/${id}`)).status]).toEqual([id, 404]);
    expect(log).toEqual([]);
  });

  it("may have several kinds of owners, all of which have to be the caller", async () => {
    const caller = (client?: string | null) => ({ user: "ann", client: client as string });
    const asking = async (client: string | null | undefined, id: number) => {
      const authenticate = { bearer: () => ({ caller: caller(client) }) };
      const { ask } = createTestServer(one("Setting"), {}, { resources: storedRows().stores, authenticate });
      return (await ask(`GET /v1/things/${id}`)).status;
    };
    expect([await asking("cli", 1), await asking("web", 1), await asking(undefined, 1)]).toEqual([200, 404, 404]);
    expect([await asking("cli", 2), await asking(undefined, 2)]).toEqual([404, 404]);
    const nobodys = storesOf({ Setting: [{ id: 1, owner: { user: "ann", client: null as never } }] });
    const authenticate = { bearer: () => ({ caller: caller(null) }) };
    const { ask } = createTestServer(one("Setting"), {}, { resources: nobodys.stores, authenticate });
    expect((await ask("GET /v1/things/1")).status).toBe(404);
  });

  it("has to be below the resource before it, and is loaded once", async () => {
    const { stores, loads } = storedRows();
    const path = [house, { parameter: "room", to: "Room", by: "id", of: "house" }];
    const api = houses({
      lines: { get: "GET /houses/{house}/rooms/{room}" },
      operationResources: { get: { path, body: [], target: { resource: "Room", parameter: "room" } } },
    });
    const { ask, calls } = createTestServer(api, {}, { resources: stores });
    const of = (...rooms: readonly string[]) => statuses(ask, ...rooms.map((each) => `GET /v1/houses/${each}`));
    expect(await of("1/rooms/10")).toEqual([200]);
    expect(loads).toEqual(["House id 1", "Room id 10"]);
    expect(calls[0]?.input).toEqual({
      path: { house: 1, room: 10 },
      target: { id: 10, parent: 1, isBroken: false },
      refs: { house: { id: 1, owner: { account: "a" } }, room: { id: 10, parent: 1, isBroken: false } },
    });
    expect(await of("2/rooms/10", "1/rooms/20", "1/rooms/99", "4/rooms/10", "4/rooms/40")).toEqual([
      404, 404, 404, 404, 200,
    ]);
  });

  it("is 404 if the store has its id with another type, or another id", async () => {
    const rows: readonly Row[] = [{ id: "1", owner: { account: "a" } }];
    const load = () => [...rows, { id: 2, owner: { account: "a" } }, null, "text"];
    const owner = (row: unknown) => (row as Row).owner ?? {};
    const { ask, log } = createTestServer(one("House"), {}, { resources: { House: { load, owner } } });
    expect(await statuses(ask, "GET /v1/things/1", "GET /v1/things/3", "GET /v1/things/2")).toEqual([404, 404, 200]);
    expect(log).toEqual([]);
  });

  it.each([
    ["no store", undefined, "Missing option `resources.Room.load`. Provide a function that loads rows by `id`."],
    [
      "no parent",
      { load: () => [{ id: 1 }] },
      "Missing option `resources.Room.parent`. Provide a function that returns the id of a row's parent.",
    ],
  ])("is an error of the server if there is %s", async (_, Room, message) => {
    const { ask, log } = createTestServer(one("Room"), {}, { resources: Room === undefined ? {} : { Room } });
    expect((await ask("GET /v1/things/1")).status).toBe(500);
    expect(log.map((each) => each.message)).toEqual([message]);
  });

  it("is an error of the server if its owner is not described", async () => {
    const { ask, log } = createTestServer({ ...one("House"), resources: {} }, {}, { resources: storedRows().stores });
    expect((await ask("GET /v1/things/1")).status).toBe(500);
    expect(log.map(({ message }) => message)).toEqual(["Unknown resource House. Generate the package again."]);
  });

  it("cannot be its own ancestor", async () => {
    const api = { ...one("Room"), resources: { Room: { owner: [], parent: "Room" } } };
    const loop = storesOf({
      Room: [
        { id: 1, parent: 2 },
        { id: 2, parent: 1 },
      ],
    });
    const { ask, log } = createTestServer(api, {}, { resources: loop.stores });
    expect((await ask("GET /v1/things/1")).status).toBe(500);
    expect(log.map(({ message }) => message)).toEqual(["resources: a Room is its own ancestor"]);
  });
});

describe("the caller's only resource", () => {
  const api = houses({
    lines: { get: "GET /note" },
    operationResources: { get: { path: [], body: [], target: { resource: "Note" } } },
  });

  it.each([
    ["is there", { id: 1 }, 200],
    ["is not", undefined, 404],
    ["may be null, as databases return it", null, 404],
  ])("%s", async (_, row, status) => {
    const { ask, calls } = createTestServer(api, {}, { resources: { Note: { own: () => row } } });
    expect((await ask("GET /v1/note")).status).toBe(status);
    expect(calls.map(({ input }) => input)).toEqual(status === 200 ? [{ target: { id: 1 } }] : []);
  });
});

describe("a resource in the body", () => {
  const naming = (body: OperationResources["body"], path: OperationResources["path"] = []) =>
    houses({
      lines: { make: path.length > 0 ? "POST /houses/{house}" : "POST /things" },
      operationResources: { make: { path, body } },
    });

  it("is loaded with one query for each kind, once, and passed on", async () => {
    const { stores, loads } = storedRows();
    const body = [room("room"), room("others.*"), room("deep.*.room"), room("city", { to: "City" })];
    const { ask, calls } = createTestServer(naming(body), {}, { resources: stores });
    const sent = { room: 10, others: [10, 20, 10], deep: { x: { room: 20 }, y: { room: null } }, city: 1 };
    expect((await ask("POST /v1/things", { body: sent })).status).toBe(200);
    expect(loads).toEqual(["Room id 10,20", "City id 1", "House id 1", "House id 2"]);
    const [ten, twenty] = tables["Room"] ?? [];
    expect(calls[0]?.input["refs"]).toEqual({
      room: ten,
      "others.*": new Map([
        [10, ten],
        [20, twenty],
      ]),
      "deep.*.room": new Map([[20, twenty]]),
      city: { id: 1 },
    });
  });

  it("may be absent or null", async () => {
    const { stores, loads } = storedRows();
    const { ask } = createTestServer(naming([room("room"), room("others.*")]), {}, { resources: stores });
    for (const body of [{}, { room: null, others: null }, { others: [null] }, [], null, "text"])
      expect([body, (await ask("POST /v1/things", { body })).status]).toEqual([body, 200]);
    expect(loads).toEqual([]);
  });

  it("is reported as missing at each location, with one error", async () => {
    const body = [room("room"), room("others.*"), room("house", { to: "House", onNotFound: "no-house" })];
    const { ask } = createTestServer(naming(body), {}, { resources: storedRows().stores });
    const reported = async (sent: object) => errors(await ask("POST /v1/things", { body: sent }));
    const gone = (field: string) => ({ field, reason: "Unknown room" });
    expect(await reported({ room: 30, others: [10, 99, 91], house: 3 })).toEqual(
      ["room", "others.1", "others.2"].map(gone),
    );
    expect(await reported({ room: 10, house: 3 })).toEqual([{ reason: "Unknown house" }]);
    const many = Array.from({ length: 101 }, () => 99);
    expect([(await reported({ others: many.slice(1) })).length, (await reported({ others: many })).length]).toEqual([
      100, 100,
    ]);
  });

  it("has to be below the resource of the path", async () => {
    const api = naming([room("room", { of: "house" })], [house]);
    const { ask } = createTestServer(api, {}, { resources: storedRows().stores });
    const at = async (id: number, inner: number) =>
      (await ask(`POST /v1/houses/${id}`, { body: { room: inner } })).status;
    expect([await at(1, 10), await at(2, 10), await at(1, 30), await at(4, 40)]).toEqual([200, 404, 404, 200]);
  });

  it("has to satisfy its condition", async () => {
    const reference = room("rooms.*", { where: hasField("isBroken", false), onConstraintViolation: "broken" });
    const { ask } = createTestServer(naming([reference]), {}, { resources: storedRows().stores });
    const reported = async (...rooms: readonly number[]) => errors(await ask("POST /v1/things", { body: { rooms } }));
    expect(await reported(10, 20)).toEqual([{ field: "rooms.1", reason: "The room is broken" }]);
    expect(await reported(20, 99)).toEqual([{ field: "rooms.1", reason: "Unknown room" }]);
  });
});

it("every resource of these tests has a table", () => {
  expect(Object.keys(tables).toSorted()).toEqual(Object.keys(resources).toSorted());
});
