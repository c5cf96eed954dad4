import { describe, expect, it } from "vitest";
import { addIssue, addIssueAt, isObject, type Check } from "../../http/index.js";
import { createMemoryStore } from "../rate-limits/memory-store.js";
import { hasField, house, houses, room, storedRows } from "../resources/resource-fixture.support.js";
import { createTestServer, type TestRequest, type TestDescription } from "../test-server.support.js";
import type { Grant } from "./grants.js";

/** A label has at least three characters. Nothing else is required of a body. */
const label: Check = (value, issues) => {
  if (!isObject(value)) addIssue(issues, "type", "object");
  else if (typeof value["label"] === "string" && value["label"].length < 3) addIssueAt(issues, "label", "length", 3);
};

const onHouse: Grant = {
  kind: "entity",
  on: { root: "request", part: "path", name: "house", pointer: [] },
  level: "write",
};
const onRoom: Grant = {
  kind: "entity",
  on: { root: "request", part: "body", pointer: ["room"] },
  level: "write",
};

/** Eve has a grant on house 1 only. House 3 is another account's, and 5 does not exist. */
async function respond(line: string, given: Partial<TestDescription>, asked: TestRequest = {}) {
  const api = houses({
    lines: { act: `${line.split(" ")[0]} /houses/{house}` },
    operationResources: {
      act: {
        path: [house],
        body: [
          room("room", { where: hasField("isBroken", false), onConstraintViolation: "broken" }),
          { pointer: ["city"], name: "city", to: "City", by: "id", onNotFound: "taken" },
        ],
        target: { resource: "House", parameter: "house" },
      },
    },
    limits: { act: { rates: [{ limit: { kind: "rate", id: "r", max: 9, windowSeconds: 9 } }] } },
    headerNames: {
      requestId: "X-Request-Id",
      remaining: "X-Remaining",
      reset: "X-Reset",
      scopes: "X-Scopes",
      noScopes: "unknown",
    },
    ...given,
  });
  const grants = () => ({ global: {}, houses: [{ id: 1, permissions: "read" }] });
  const options = { resources: storedRows().stores, grants, limits: { store: createMemoryStore() } };
  return createTestServer(api, {}, options).ask(line, { token: "eve", ...asked });
}

describe("the response for a hidden resource equals that for one that does not exist, byte by byte", () => {
  const wrongly = { body: { label: "x", room: 99, city: 99 } };

  it.each([
    ["in a read", "GET", [onHouse], {}],
    ["in a change that is wrong in other ways", "PUT", [onHouse], wrongly],
    ["in a deletion", "DELETE", [onHouse], {}],
    ["where nothing is granted", "PUT", [], wrongly],
  ] as const)("%s", async (_, method, grants, asked) => {
    const validated = { check: label, normalize: (value: unknown) => value };
    const given: Partial<TestDescription> = {
      grants: { act: grants },
      bodies: method === "GET" ? {} : { act: { contents: { "application/json": { stored: validated } } } },
    };
    const of = (id: number) => respond(`${method} /v1/houses/${id}`, given, asked);
    const missing = await of(5);
    expect(missing).toEqual({
      status: 404,
      headers: {
        "content-length": "39",
        "content-type": "application/json",
        "x-remaining": "8",
        "x-request-id": "r",
        "x-reset": "9",
        "x-scopes": "unknown",
      },
      text: '{"errors":[{"reason":"Unknown house"}]}',
    });
    expect(await of(3)).toEqual(missing);
    if (grants.length > 0) expect(await of(2)).toEqual(missing);
  });

  it("if the caller may not use the operation at all", async () => {
    const given: Partial<TestDescription> = { grants: { act: [{ kind: "named", name: "add" }, onHouse] } };
    const missing = await respond("PUT /v1/houses/5", given, wrongly);
    expect([missing.status, missing.text]).toEqual([403, '{"errors":[{"reason":"Not permitted"}]}']);
    for (const id of [1, 2, 3]) expect(await respond(`PUT /v1/houses/${id}`, given, wrongly)).toEqual(missing);
  });

  it.each([
    ["alone", {}],
    ["before something else that is missing", { city: 99 }],
  ])("in a body, %s", async (_, others) => {
    const given = { grants: { act: [onRoom] } };
    const of = (inner: number) => respond("POST /v1/houses/4", given, { body: { room: inner, ...others } });
    const missing = await of(99);
    expect([missing.status, missing.text]).toEqual([404, '{"errors":[{"field":"room","reason":"Unknown room"}]}']);
    // 20 is in a house without grants, and broken besides. 30 is another account's.
    expect([await of(20), await of(30), await of(90)]).toEqual([missing, missing, missing]);
  });

  it("HEAD responds like GET", async () => {
    const given = { grants: { act: [onHouse] }, lines: { act: "GET /houses/{house}" } };
    const missing = await respond("HEAD /v1/houses/5", given);
    expect([missing.status, missing.text, missing.headers["content-length"]]).toEqual([404, "", "39"]);
    expect(await respond("HEAD /v1/houses/2", given)).toEqual(missing);
  });
});
