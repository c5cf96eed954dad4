import path from "node:path";
import { expect, test } from "vitest";
import { loadDescription } from "../read/load.js";
import { buildFixtureApi, withFixtureFolder, withoutOrigins, buildDiagnostics, withPaths } from "../testing.js";

const texts = {
  "openapi.yaml": `openapi: 3.1.0
info: {title: Pets, version: '1', summary: Animals., description: All of them.}
servers: [{url: 'https://{region}.example', variables: {region: {default: eu}}}]
tags: [{name: zoo, description: A zoo.}, {name: home}]
security: [{bearer: [pets:read]}]
paths:
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getPet, tags: [zoo], responses: {'200': {$ref: '#/components/responses/Pet'}, default: {description: no}}}
    put:
      operationId: putPet
      requestBody: {content: {application/json: {schema: {$ref: 'schemas.yaml#/Pet'}}}}
      responses: {'200': {$ref: '#/components/responses/Pet'}}
      x-grants: [{grant: add_pets}]
      x-limits: [{id: rate, kind: rate, max: 3, window: PT1H}]
  /toys: {get: {operationId: listToys, tags: [home], security: [], responses: {'200': {description: ok}}}}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer, x-scopes: {areas: [pets], levels: {read: []}, all: '*', separator: ','}}
  responses: {Pet: {description: ok, content: {application/json: {schema: {$ref: 'schemas.yaml#/Pet'}, example: {id: 1}}}}}
  schemas: {Toy: {type: object, properties: {owner: {$ref: 'schemas.yaml#/Pet'}}}}
x-errors: [{id: missing, status: 404, when: {target: {type: object}}}]
`,
  "schemas.yaml": `Pet:
  type: object
  required: [id]
  x-resource: {owner: [user], read: getPet}
  properties:
    id: {type: integer, readOnly: true}
    friends: {type: array, items: {$ref: '#/Pet'}}
    mood: {oneOf: [{$ref: '#/Good'}, {$ref: '#/Bad'}], discriminator: {propertyName: kind}}
    state: {enum: [awake, asleep], x-state-machine: {initial: [], transitions: [{event: putPet, from: [asleep], to: awake}]}}
Good: {type: object, properties: {kind: {type: string}}, x-source: [mood.kind]}
Bad: {type: object, properties: {kind: {type: string}, at: {type: string, default: now, examples: [then]}}}
`,
};

test("the model is frozen, however deep", async () => {
  const unfrozen: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Object.isFrozen(value)) unfrozen.push(at);
    for (const [key, child] of Object.entries(value)) walk(child, `${at}/${key}`);
  };
  walk(await buildFixtureApi(texts), "");
  expect(unfrozen).toEqual([]);
});

test("the model is JSON, and comes back from it as it was", async () => {
  const api = await buildFixtureApi(texts);
  expect(JSON.parse(JSON.stringify(api))).toStrictEqual(api);
});

test("two runs give the same bytes, wherever the description stands", async () => {
  expect(JSON.stringify(await buildFixtureApi(texts))).toBe(JSON.stringify(await buildFixtureApi(texts)));
});

test("the order is that of the description", async () => {
  const { tags, operations, schemas } = await buildFixtureApi(texts);
  expect([tags, operations, schemas].map((list) => list.map((each) => each.name))).toEqual([
    ["zoo", "home"],
    ["getPet", "putPet", "listToys"],
    ["Pet", "PetUpdate", "Good", "Bad", "Toy"],
  ]);
});

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  "keys in another order (%i) give the same model but for its order",
  async (seed) => {
    const shuffled = await withFixtureFolder(texts, async (folder) => {
      const { files } = await loadDescription(path.join(folder, "openapi.yaml"));
      const random = randomFrom(seed);
      return Object.fromEntries(
        files.map((file) => [file.name, JSON.stringify(withShuffledKeys(file.value, random))] as const),
      );
    });
    expect(shuffled["openapi.yaml"]).not.toBe("");
    expect(withoutOrder(await buildFixtureApi(shuffled))).toEqual(withoutOrder(await buildFixtureApi(texts)));
  },
);

test.each([
  ["openapi: 3.3.0\n", "This is OpenAPI 3.3.0; 3.0, 3.1 and 3.2 can be read."],
  ["swagger: '2.0'\n", "This is Swagger 2.0; 3.0, 3.1 and 3.2 can be read."],
  ["title: Pets\n", "This is OpenAPI of no version; 3.0, 3.1 and 3.2 can be read."],
  ["", "This is OpenAPI of no version; 3.0, 3.1 and 3.2 can be read."],
  ["- a\n", "This is OpenAPI of no version; 3.0, 3.1 and 3.2 can be read."],
])("rejects %j", async (text, message) => {
  expect(await buildDiagnostics(text)).toEqual([`openapi.yaml:1:1 description/version ${message}`]);
});

test("an empty description is an API without anything", async () => {
  expect(await buildFixtureApi("openapi: 3.0.0\n")).toEqual({
    title: "",
    version: "",
    servers: [],
    tags: [],
    securitySchemes: [],
    operations: [],
    operationsWithoutPath: [],
    schemas: [],
    resources: [],
    stateMachines: [],
    errors: [],
    requirements: [],
    assumptions: [],
    origin: { file: "openapi.yaml", pointer: "" },
  });
});

test("a reference that leads nowhere is a problem wherever it stands", async () => {
  const lost = (name: string): string => `The reference "#/${name}" names nothing: there is no "${name}".`;
  const rest = `components:
  securitySchemes: {a: {$ref: '#/s'}}
x-errors: [{id: a, status: 400, when: {body: {$ref: '#/e'}}}]
`;
  expect(
    await buildDiagnostics(
      withPaths("/a: {get: {requestBody: {$ref: '#/b'}, responses: {'200': {$ref: '#/r'}}}}", rest),
    ),
  ).toEqual([
    `openapi.yaml:4:14 openapi/no-unresolved-refs ${lost("b")}`,
    `openapi.yaml:4:54 openapi/no-unresolved-refs ${lost("r")}`,
    `openapi.yaml:6:21 openapi/no-unresolved-refs ${lost("s")}`,
    `openapi.yaml:7:40 openapi/no-unresolved-refs ${lost("e")}`,
  ]);
});

/** A pseudorandom number generator (Lehmer). The same seed gives the same numbers. */
function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function withShuffledKeys(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((each) => withShuffledKeys(each, random));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => ({
    at: random(),
    entry: [key, withShuffledKeys(each, random)] as const,
  }));
  return Object.fromEntries(entries.toSorted((a, b) => a.at - b.at).map(({ entry }) => entry));
}

/** Returns the value with sorted keys and lists, without lines and columns. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutOrder).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "line" && key !== "column");
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, withoutOrder(each)] as const),
  );
}

test("what names an operation by its operationId has it by its name", async () => {
  const operation = (id: string, more = ""): string =>
    `{operationId: ${id}, ${more}responses: {'200': {description: ok}}}`;
  const { stateMachines, resources, schemas } = await buildFixtureApi(
    withPaths(
      `/pets:
  get: ${operation("list-pets")}
/pets/{id}:
  parameters: [{name: id, in: path, required: true, schema: {type: string}}]
  get: ${operation("getPet", "x-name: fetchPet, ")}
  post: ${operation("feedPet", "x-name: feed, ")}
  delete: ${operation("deletePet", "x-name: giveAway, ")}`,
      `components:
  schemas:
    Pet:
      type: object
      x-resource: {list: list-pets, read: getPet, delete: deletePet}
      properties:
        mood:
          enum: [hungry, fed]
          x-mutability: {rule: next, order: list-pets}
          x-visibility: {in: [getPet, notThere]}
          x-state-machine:
            initial: [{event: list-pets, to: hungry}]
            transitions: [{event: feedPet, from: [hungry], to: fed}, {event: {platform: night}, from: [fed], to: hungry}]
`,
    ),
  );
  const [property] = schemas[0]?.schema.properties ?? [];
  expect(
    withoutOrigins({
      ...resources[0],
      by: stateMachines.flatMap(({ initial, transitions }) => [...initial, ...transitions].map(({ event }) => event)),
      change: property?.mutability,
      visible: property?.schema.visibility,
    }),
  ).toEqual({
    name: "Pet",
    owner: [],
    list: "listPets",
    read: "fetchPet",
    delete: "giveAway",
    sources: [],
    by: [
      { kind: "operation", operation: "listPets" },
      { kind: "operation", operation: "feed" },
      { kind: "platform", platform: "night" },
    ],
    change: { rule: "next", order: "listPets" },
    visible: { in: ["fetchPet", "notThere"] },
  });
});

test("incomplete limits and errors are skipped, since the linter reports them", async () => {
  const { operations } = await buildFixtureApi(
    withPaths(`/pets:
  get:
    operationId: listPets
    x-limits:
      - {id: rates, kind: rate, max: 1, window: PT1S}
      - {id: endless, kind: rate, max: 1}
      - {id: unbounded, kind: rate, window: PT1S}
      - {kind: bytes, max: 1}
      - {id: strange, kind: constructor, max: 1, window: PT1S}
      - {id: anywhere, kind: unique, by: [name]}
      - {id: kept, kind: retention, window: P1D}
      - {id: forgotten, kind: retention}
    x-errors: [{id: none, status: 404}, {status: 400}]
    responses: {'200': {description: ok}}`),
  );
  expect(operations[0]?.limits.map(({ id }) => id)).toEqual(["rates", "kept"]);
  expect(operations[0]?.errors.map(({ id }) => id)).toEqual(["none"]);
});

test("operations whose names differ in signs only have colliding types", async () => {
  const text = withPaths(`/a:
  get: {operationId: getPet, responses: {}}
  put: {operationId: get, x-name: get_pet, responses: {}}
`);
  expect(await buildDiagnostics(text)).toEqual([
    'openapi.yaml:6:5 names/collision The types of "getPet" and "get_pet" would have the same names.',
  ]);
});
