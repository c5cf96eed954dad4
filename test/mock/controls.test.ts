import { rm } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startMockHere, type RunningMock } from "../support/mock-process.js";
import { place } from "../support/pets.js";
import { unremovedFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const ferries = `openapi: 3.1.0
info: {title: Ferries, version: 1.0.0}
servers: [{url: https://ferries.example/v1}]
security: [{token: []}]
paths:
  /ferries:
    get:
      operationId: listFerries
      responses:
        '200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Ferry'}}}}}
        '503': {description: Not now.}
    post:
      operationId: create-ferry
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewFerry'}}}}
      responses: {'201': {description: New., content: {application/json: {schema: {$ref: '#/components/schemas/Ferry'}}}}}
  /ferries/{id}:
    get:
      operationId: getFerry
      parameters: [{name: id, in: path, required: true, schema: {type: integer}, x-reference: {to: Ferry}}]
      responses:
        '200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Ferry'}}}}
        '404': {description: Unknown.}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    NewFerry: {type: object, required: [name], properties: {name: {type: string}}}
    Ferry:
      type: object
      x-resource: {owner: [account], list: listFerries, read: getFerry}
      required: [id, name, status]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string}
        status:
          type: string
          enum: [loading, afloat, docked]
          readOnly: true
          x-state-machine:
            initial: [{event: create-ferry, to: loading, then: [afloat]}]
            transitions: [{event: {platform: dock}, from: [afloat], to: docked}]
`;

const json = { "Content-Type": "application/json" };
let folder: string;
let mock: RunningMock;

beforeAll(async () => {
  folder = await unremovedFolder();
  await place(folder, { "ferries.yaml": ferries });
  mock = await startMockHere(folder, ["ferries.yaml", "--controls", "--pace", "1"]);
});
beforeEach(async () => void (await control("POST /reset")));
afterAll(async () => {
  await mock.end();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(request: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const [method = "", address = ""] = request.split(" ");
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(address, { method, headers: { ...json, ...headers }, ...sent });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}

async function control(request: string, body?: unknown, headers = {}): Promise<Answer> {
  return send(request.replace(" ", ` ${mock.origin}/_mock`), body, headers);
}

async function call(request: string, body?: unknown, token = "any"): Promise<Answer> {
  return send(request.replace(" ", ` ${mock.url}`), body, { Authorization: `Bearer ${token}` });
}

async function statusOfFerry(): Promise<unknown> {
  return (await call("GET /ferries/1")).body;
}

describe("the clock", () => {
  it("moves forward, and states with it", async () => {
    await call("POST /ferries", { name: "Aurora" });
    expect(await statusOfFerry()).toMatchObject({ status: "loading" });
    const before = (await control("GET /clock")).body as { readonly now: string };
    const { now } = (await control("POST /clock", { advance: "PT1H" })).body as { readonly now: string };
    const seconds = (Date.parse(now) - Date.parse(before.now)) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(3600);
    expect(await statusOfFerry()).toMatchObject({ status: "afloat" });
  });

  it("stays as it is when it would move further than dates go", async () => {
    expect((await control("POST /clock", { advance: "P99999999W" })).status).toBe(400);
    const { status, body } = await control("GET /clock");
    expect([status, (body as { readonly now: string }).now]).toEqual([200, expect.stringMatching(/^\d{4}-/)]);
    expect((await control("POST /clock", { advance: "PT1H" })).status).toBe(200);
  });

  it("settles transient states, and none while they are held", async () => {
    await call("POST /ferries", { name: "Aurora" });
    expect(await control("POST /hold", { hold: true })).toEqual({ status: 200, body: { hold: true } });
    expect((await control("POST /settle")).body).toMatchObject({ ran: 0 });
    await control("POST /hold", { hold: false });
    expect((await control("POST /settle")).body).toMatchObject({ ran: 1 });
    expect(await statusOfFerry()).toMatchObject({ status: "afloat" });
  });
});

describe("the state", () => {
  it("returns to a snapshot, and to the start", async () => {
    await call("POST /ferries", { name: "Aurora" });
    const { body } = await control("POST /snapshots");
    const { id } = body as { readonly id: string };
    await call("POST /ferries", { name: "Borealis" });
    expect((await control(`POST /snapshots/${id}/restore`)).status).toBe(204);
    expect((await call("GET /ferries")).body).toHaveLength(1);
    expect((await control("POST /reset")).status).toBe(204);
    expect((await call("GET /ferries")).body).toEqual([]);
    expect((await control(`DELETE /snapshots/${id}`)).status).toBe(204);
    expect(await control(`POST /snapshots/${id}/restore`)).toMatchObject({
      status: 404,
      body: { detail: `There is no snapshot "${id}".` },
    });
  });

  it.each(["createFerry", "create-ferry"])("has a fault of an operation by the name %s", async (operation) => {
    await control("PUT /faults", { faults: [{ operation, status: 503, times: 1 }] });
    const post = async (): Promise<number> => (await call("POST /ferries", { name: "Aurora" })).status;
    expect([await post(), await post()]).toEqual([503, 201]);
  });

  it("has injected faults until the next reset", async () => {
    const faults = [{ operation: "listFerries", status: 503 }];
    expect(await control("PUT /faults", { faults })).toEqual({ status: 200, body: { faults } });
    expect((await call("GET /ferries")).status).toBe(503);
    await control("POST /reset");
    expect((await call("GET /ferries")).status).toBe(200);
  });

  it("has objects that the platform creates, changes and deletes", async () => {
    const values = { name: "Aurora", status: "afloat" };
    expect(await control("POST /objects/Ferry", { values })).toEqual({ status: 201, body: { id: 1, ...values } });
    expect((await control("POST /objects/Ferry/1/events", { event: "dock" })).body).toMatchObject({ status: "docked" });
    expect((await control("POST /objects/Ferry/1/events", { event: "dock" })).status).toBe(409);
    expect((await control("PUT /objects/Ferry/1/state", { state: "afloat" })).body).toMatchObject({ status: "afloat" });
    expect((await control("PUT /objects/Ferry/1/state", { state: "sunk" })).status).toBe(400);
    expect((await control("PATCH /objects/Ferry/1", { name: "Borealis" })).body).toMatchObject({ name: "Borealis" });
    expect(await control("GET /objects/Ferry?name=Borealis")).toMatchObject({ body: { data: [{ id: 1 }] } });
    expect(await control("GET /objects/Ferry?name=Aurora")).toEqual({ status: 200, body: { data: [] } });
    expect((await control("DELETE /objects/Ferry/1")).status).toBe(204);
    expect((await control("GET /objects/Ferry/1")).status).toBe(404);
    expect((await control("GET /objects/Boat")).body).toMatchObject({
      detail: 'The description has no resource "Boat". It has: Ferry.',
    });
  });
});

it("users have accounts, and unknown tokens are rejected as soon as there are users", async () => {
  for (const [username, account] of [
    ["ann", "a"],
    ["bob", "b"],
  ] as const) {
    const created = await control("POST /users", { username, account });
    expect(created).toEqual({ status: 201, body: { username, account } });
    expect(await control(`POST /users/${username}/tokens`, { token: `token-of-${username}` })).toMatchObject({
      status: 201,
      body: { token: `token-of-${username}` },
    });
  }
  await call("POST /ferries", { name: "Aurora" }, "token-of-ann");
  const statuses = ["token-of-ann", "token-of-bob", "any"].map(async (token) =>
    call("GET /ferries/1", undefined, token),
  );
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 404, 401]);
  expect((await control("PUT /users/eve/grants", {})).status).toBe(404);
  await control("POST /reset");
  expect((await call("GET /ferries")).status).toBe(200);
});

describe("a request that no control can perform", () => {
  it.each([
    ["POST /clock", {}, "advance", "Missing. It is an ISO 8601 duration"],
    ["POST /clock", { advance: "P1M" }, "advance", "Not an ISO 8601 duration"],
    ["POST /clock", { advance: "P99999999W" }, "advance", "That is further than dates go."],
    ["POST /clock", { advance: `PT${"9".repeat(400)}S` }, "advance", "That is further than dates go."],
    ["POST /hold", { hold: "yes" }, "hold", "Not true or false."],
    ["POST /reset", { all: true }, "all", "Unknown field."],
    [
      "PUT /faults",
      { faults: [{ operation: "listFerry" }] },
      "faults.0.operation",
      "Not the name or the operationId of an operation",
    ],
    ["PUT /faults", { faults: [{ probability: 2 }] }, "faults.0.probability", "Not a number from 0 to 1."],
    ["PUT /faults", { faults: [{ when: 1 }] }, "faults.0.when", "Unknown field."],
    ["POST /users", { username: 1 }, "username", "Not a text."],
    ["POST /objects/Ferry", { username: "eve" }, "username", 'There is no user "eve".'],
  ])("%s %j is rejected for %s", async (request, sent, field, reason) => {
    const { status, body } = await control(request, sent);
    expect(status).toBe(400);
    const { errors } = body as { readonly errors: readonly { readonly field: string; readonly reason: string }[] };
    expect(errors).toHaveLength(1);
    expect(errors[0]?.field).toBe(field);
    expect(errors[0]?.reason).toContain(reason);
  });

  it.each([
    ["another path", "GET /nothing", {}, 404],
    ["another method", "PUT /clock", {}, 405],
    ["a text", "POST /reset", { "Content-Type": "text/plain" }, 415],
    ["the origin of a page", "POST /reset", { Origin: "http://127.0.0.1" }, 403],
    ["a site", "POST /reset", { "Sec-Fetch-Site": "cross-site" }, 403],
  ])("has %s", async (_, request, headers, status) => {
    expect((await control(request, request.startsWith("GET") ? undefined : {}, headers)).status).toBe(status);
  });
});

it("controls are absent without the option, at other hosts, and where the API has the same paths", async () => {
  const plain = await startMockHere(folder, ["ferries.yaml"]);
  expect((await send(`POST ${plain.origin}/_mock/reset`, undefined, {})).status).toBe(404);
  await plain.end();
  const open = await plumbline(["mock", "ferries.yaml", "--controls", "--host", "0.0.0.0"], { in: folder });
  expect([open.code, open.error]).toEqual([2, expect.stringContaining("loopback --host")]);
  await place(folder, { "collision.yaml": ferries.replaceAll("/v1", "").replace("/ferries:", "/_mock/ferries:") });
  const collision = await plumbline(["mock", "collision.yaml", "--controls"], { in: folder });
  expect(collision.code).toBe(1);
  expect(collision.error).toContain("The path of listFerries begins with /_mock");
});
