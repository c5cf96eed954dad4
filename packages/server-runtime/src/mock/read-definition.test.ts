import { expect, test } from "vitest";
import type { MockData } from "./mock-data.js";
import { readDefinition } from "./read-definition.js";
import { parseExpression, parsePointer } from "./read-texts.js";

test.each([
  ["$request.path.petId", { root: "request", part: "path", name: "petId", pointer: [] }],
  ["$request.query.sort.by", { root: "request", part: "query", name: "sort.by", pointer: [] }],
  ["$request.body#/tags/*", { root: "request", part: "body", pointer: ["tags", "*"] }],
  ["$request.body", { root: "request", part: "body", pointer: [] }],
  ["$response.body#/a~1b", { root: "response", part: "body", pointer: ["a/b"] }],
  ["$caller.user", { root: "caller", name: "user", pointer: [] }],
  ["$target#/owner/id", { root: "target", pointer: ["owner", "id"] }],
  ["$target", { root: "target", pointer: [] }],
  ["$refs.type#/disk", { root: "refs", part: "type", pointer: ["disk"] }],
  ["0", { root: "relative", part: "0", pointer: [] }],
  ["12/label", { root: "relative", part: "12", pointer: ["label"] }],
])("reads the expression %s", (text, expected) => {
  expect(parseExpression(text)).toEqual(expected);
});

test.each([
  ["", []],
  ["/", [""]],
  ["/a/*", ["a", "*"]],
  ["/a~1b/c~0d/~01", ["a/b", "c~d", "~1"]],
])("reads the pointer %j", (text, expected) => {
  expect(parsePointer(text)).toEqual(expected);
});

const example = { id: 7, name: "Rex", inner: { toys: [] } };
const notFound = { status: 404, example: "Not found", mediaType: "text/plain" };

const data: MockData = {
  title: "Pets",
  version: "1",
  basePath: "",
  callers: { tenant: "account", attributes: {}, namedGrants: "named" },
  operations: {
    listPets: {
      route: "GET /pets",
      role: "list",
      resource: "Pet",
      success: { status: 200, body: { fields: { pets: { items: ["Pet"] } } }, example: { pets: [example] } },
      list: { envelope: { items: "pets" }, filterFields: { name: "string" } },
    },
    setPet: {
      route: "PUT /pets/{id}",
      role: "update",
      pathReferences: [{ parameter: "id", resource: "Pet" }],
      bodyReferences: [{ pointer: "/friends/*", resource: "Pet", by: "name" }],
      effects: [
        { id: "log", does: "create", to: "Log", values: { by: { from: "$caller.user" }, kind: "set", at: null } },
        { id: "undo", does: "set", to: ["$target#/id", "Pet", "id"] },
        { id: "list", does: "keep", to: "listPets" },
        { id: "other", does: "keep", to: "toString" },
      ],
      success: [{ status: 204 }, { status: "2XX", body: { nullable: "Pet" }, example }],
      errors: [{ status: "default", example: {}, sample: { error: "text" } }, notFound],
    },
    getPet: {
      route: "GET /pets/{id}",
      role: "read",
      pathReferences: [{ parameter: "id", resource: "Pet" }],
      target: null,
      success: { status: "default", example },
    },
  },
  resources: {
    Pet: {
      initial: example,
      optional: ["born"],
      generated: { born: "created", gone: { value: "expires", seconds: 5 } },
      secrets: { chip: 8 },
      references: [{ pointer: "/inner/toys", to: "Log" }],
    },
    Log: { owner: ["platform"], identifier: { field: "key", sample: "a" }, initial: {} },
  },
  stateMachines: [
    {
      name: "Mood",
      resource: "Pet",
      states: ["calm", "wild"],
      initial: [{ on: { operation: "setPet" }, to: "calm" }],
      transitions: [{ on: { after: 5 }, to: "wild", sets: { "inner.toys": { value: [] } }, from: ["calm"] }],
    },
  ],
};

test("adds what an operation leaves out", () => {
  const { listPets, setPet, getPet } = readDefinition(data).operations;
  const page = { pets: [example] };
  expect(listPets).toEqual({
    method: "GET",
    path: "/pets",
    role: "list",
    resource: "Pet",
    pathReferences: [],
    isLookedUp: true,
    bodyReferences: [],
    effects: [],
    concurrency: [],
    absent: "keep",
    bodyFields: [],
    success: [
      {
        status: 200,
        mediaType: "application/json",
        body: { kind: "fields", sample: page, fields: { pets: { kind: "objects", variants: [{ resource: "Pet" }] } } },
        headers: {},
      },
    ],
    documented: { 200: { mediaType: "application/json", example: page, sample: page } },
    list: {
      resources: ["Pet"],
      defaultSize: 100,
      envelope: { items: "pets" },
      filterFields: { name: { type: "string" } },
      queryFields: [],
      referring: {},
    },
  });
  expect(setPet).toMatchObject({
    resource: "Pet",
    target: { resource: "Pet", parameter: "id" },
    pathReferences: [{ parameter: "id", resource: "Pet", by: "id" }],
    document: "/pets/{id}",
    bodyReferences: [{ pointer: ["friends", "*"], name: "friends", resource: "Pet", by: "name", isMany: true }],
    effects: [
      {
        id: "log",
        does: "create",
        to: { kind: "resource", resource: "Log" },
        values: {
          by: { kind: "from", from: { root: "caller", name: "user", pointer: [] } },
          kind: { kind: "value", value: "set" },
          at: { kind: "value", value: null },
        },
      },
      { to: { kind: "object", expression: { root: "target", pointer: ["id"] }, resource: "Pet", by: "id" } },
      { to: { kind: "operation", operation: "listPets" }, values: {} },
      { to: { kind: "unknown" } },
    ],
    success: [
      { status: 204, headers: {} },
      { status: 200, body: { kind: "object", resource: "Pet", isNullable: true } },
    ],
  });
  expect(Object.entries(setPet?.documented ?? {})).toEqual([
    ["204", {}],
    ["404", { mediaType: "text/plain", example: "Not found", sample: "Not found" }],
    ["2XX", { mediaType: "application/json", example, sample: example }],
    ["default", { mediaType: "application/json", example: {}, sample: { error: "text" } }],
  ]);
  expect(getPet?.target).toBeUndefined();
  expect(getPet?.resource).toBeUndefined();
  expect(getPet?.success).toMatchObject([{ status: 200, body: { kind: "value", sample: example, secrets: [] } }]);
});

test("adds what a resource and a state machine leave out", () => {
  const { resources, stateMachines } = readDefinition(data);
  expect(resources["Pet"]).toEqual({
    owner: ["account"],
    identifier: { field: "id", type: "number", sample: 7 },
    isSingleton: false,
    initial: example,
    fields: ["id", "name", "inner", "born"],
    nested: [],
    seeds: [],
    generated: [
      { pointer: ["born"], value: "created" },
      { pointer: ["gone"], value: "expires", seconds: 5 },
    ],
    secrets: [{ pointer: ["chip"], length: 8 }],
    embedded: [],
    references: [{ pointer: ["inner", "toys"], to: "Log", by: "id" }],
  });
  expect(resources["Log"]?.identifier).toEqual({ field: "key", type: "string", sample: "a" });
  expect(stateMachines).toEqual([
    {
      name: "Mood",
      resource: "Pet",
      states: ["calm", "wild"],
      hidden: {},
      initial: [{ event: { kind: "operation", operation: "setPet" }, to: "calm", then: [], sets: {} }],
      transitions: [
        {
          event: { kind: "after", seconds: 5 },
          to: "wild",
          then: [],
          sets: { "inner.toys": { kind: "value", value: [] } },
          from: ["calm"],
        },
      ],
    },
  ]);
});
