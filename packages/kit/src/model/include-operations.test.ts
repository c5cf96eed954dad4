import { expect, test } from "vitest";
import { buildFixtureApi, withPaths } from "../openapi/testing.js";
import type { Api } from "./api.js";
import { includeOperations } from "./include-operations.js";

const json = (schema: string): string =>
  `responses: {'200': {description: It., content: {application/json: {schema: ${schema}}}}}`;
const ref = (name: string): string => `{$ref: '#/components/schemas/${name}'}`;
const id = (to: string): string =>
  `parameters: [{name: id, in: path, required: true, schema: {type: integer}, x-reference: {to: ${to}}}]`;

const description = `${withPaths(`
/pets: {get: {operationId: listPets, tags: [pets], ${json(`{type: array, items: ${ref("Pet")}}`)}}}
/pets/{id}:
  ${id("Pet")}
  get: {operationId: getPet, tags: [pets], ${json(ref("Pet"))}}
  delete: {operationId: removePet, tags: [pets], deprecated: true, x-deprecation: {since: '2026-01-01', replacement: getPet}, responses: {'204': {description: Removed.}}}
/rooms/{id}:
  ${id("Room")}
  get: {operationId: getRoom, tags: [rooms], ${json(ref("Room"))}}
`)}tags: [{name: animals}, {name: pets, parent: animals}, {name: rooms}]
components:
  schemas:
    Named: {type: object, properties: {name: {type: string, pattern: '^(a+)+$'}}}
    Pet:
      allOf: [${ref("Named")}]
      properties: {id: {type: integer}, state: {type: string, enum: [awake, asleep]}}
      x-resource: {owner: [user], list: listPets, read: getPet, delete: removePet}
      x-state-machine: {field: state, states: [awake, asleep], initial: [], transitions: [{event: removePet, from: [awake], to: $deleted}]}
    Room: {type: object, properties: {id: {type: integer}, pet: {type: integer, x-reference: {to: Pet}}}, x-resource: {owner: [user], read: getRoom}}
    Unused: {type: string}
`;

test("a model has the operations that are included, and what they use", async () => {
  const api = await buildFixtureApi(description);
  expect(namesOf(include(api, ["getPet", "listPets"]))).toEqual({
    operations: ["listPets", "getPet"],
    tags: ["animals", "pets"],
    schemas: ["Pet", "Named"],
    resources: [{ name: "Pet", list: "listPets", read: "getPet" }],
    stateMachines: ["removePet"],
    slowPatterns: ["^(a+)+$"],
  });
});

test("resources that a schema refers to stay, without the operations that are left out", async () => {
  const api = await buildFixtureApi(description);
  expect(namesOf(include(api, ["getRoom"]))).toMatchObject({
    tags: ["rooms"],
    schemas: ["Pet", "Named", "Room"],
    resources: [{ name: "Pet" }, { name: "Room", read: "getRoom" }],
  });
});

test("a deprecated operation names a replacement that is included", async () => {
  const api = await buildFixtureApi(description);
  const replacements = (names: readonly string[]): unknown =>
    include(api, names).operations.flatMap(({ deprecation }) => deprecation?.replacement ?? []);
  expect([replacements(["removePet", "getPet"]), replacements(["removePet"])]).toEqual([["getPet"], []]);
});

test("a model without operations has no schemas", async () => {
  const api = await buildFixtureApi(description);
  expect(namesOf(include(api, []))).toEqual({
    operations: [],
    tags: [],
    schemas: [],
    resources: [],
    stateMachines: [],
    slowPatterns: undefined,
  });
});

function include(api: Api, names: readonly string[]): Api {
  return includeOperations(
    api,
    api.operations.filter(({ name }) => names.includes(name)),
  );
}

function namesOf(api: Api): object {
  return {
    operations: api.operations.map(({ name }) => name),
    tags: api.tags.map(({ name }) => name),
    schemas: api.schemas.map(({ name }) => name),
    resources: api.resources.map(({ name, list, read, delete: remove }) => ({ name, list, read, delete: remove })),
    stateMachines: api.stateMachines.flatMap(({ transitions }) =>
      transitions.map(({ event }) => (event.kind === "operation" ? event.operation : event.kind)),
    ),
    slowPatterns: api.slowPatterns?.map(({ pattern }) => pattern),
  };
}
