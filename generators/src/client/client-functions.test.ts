import { DiagnosticsError } from "@plumbline/kit/model";
import { withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { functionBody, generateClient, typeErrors } from "./generate-client.support.js";

const responsesOf = (schema: string) =>
  `responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/${schema}'}}}}}`;
const paging = (page: string) =>
  `{name: ${page}, in: query, schema: {type: integer}}, {name: size, in: query, schema: {type: integer}}`;

const paths = `/pets:
  get:
    operationId: listPets
    parameters: [${paging("page")}, {name: filter, in: query, content: {application/json: {schema: {$ref: '#/components/schemas/Filter'}}}}]
    ${responsesOf("Pets")}
  post:
    operationId: createPet
    x-limits: [{id: makes, kind: rate, max: 5, window: PT1M, per: $caller.user}]
    ${responsesOf("Pet")}
/pets/{pet-id}:
  get:
    operationId: getPet
    parameters: [{name: pet-id, in: path, required: true, schema: {type: integer}}]
    ${responsesOf("Pet")}
  put:
    operationId: feedPet
    parameters: [{name: pet-id, in: path, required: true, schema: {type: integer}}]
    x-limits: [{id: makes, kind: rate, max: 5, window: PT1M, per: $caller.user}, {id: meals, kind: rate, max: 3, window: P1D, per: $request.path.pet-id}]
    ${responsesOf("Pet")}
/keepers/{name}/keys:
  get:
    operationId: listKeys
    parameters: [${paging("after")}, {name: name, in: path, required: true, schema: {type: string}}]
    x-lists: {pages: {page: after, size: size, envelope: {items: keys, page: page, pages: pages, total: total}}}
    ${responsesOf("Keys")}
`;

const rest = `security: []
x-lists:
  pages: {page: page, size: size, envelope: {items: data, page: page, pages: pages, total: total}}
  filter: {style: json, operators: {gt: +gt, lt: +lt, ne: +neq, contains: +contains}, all: +and, any: +or}
  order: {by: +order_by, direction: +order}
components:
  schemas:
    Pets: {type: object, required: [data, pages], properties: {data: {type: array, items: {$ref: '#/components/schemas/Pet'}}, pages: {type: integer}}}
    Keys: {type: object, required: [keys, pages], properties: {keys: {type: array, items: {type: string}}, pages: {type: integer}}}
    Pet:
      type: object
      required: [id, mood]
      properties:
        id: {type: integer, x-filterable: true}
        name: {type: [string, 'null'], x-filterable: {operators: [contains]}}
        born: {type: string, format: date-time, x-filterable: true}
        tame: {type: boolean, x-filterable: true}
        toys: {type: array, items: {type: string}, x-filterable: true}
        secret: {type: string}
        mood:
          type: string
          enum: [egg, young, old]
          x-state-machine: {initial: [{event: createPet, to: egg, then: [young]}], transitions: [{event: {platform: age}, from: [young], to: old}]}
      x-resource: {owner: [user], read: getPet}
    Filter:
      type: object
      properties:
        +and: {type: array, items: {$ref: '#/components/schemas/Filter'}}
        +or: {type: array, items: {$ref: '#/components/schemas/Filter'}}
        +order_by: {type: string}
        +order: {type: string, enum: [asc, desc]}
      patternProperties: {'^[^+]': {$ref: '#/components/schemas/Condition'}}
      additionalProperties: true
    Condition: {oneOf: [{type: [string, number, boolean, 'null']}, {type: object, properties: {+gt: {}, +lt: {}, +neq: {}, +contains: {}}}]}
`;
const shop = withPaths(paths, rest);

describe("a client of an API with lists, states, rates and filters", () => {
  test("filters by the fields, with the operators that their types and the description allow", async () => {
    expect(functionBody(await generateClient(shop), "filters.ts")).toMatchInlineSnapshot(`
      "import type { FilterOrder, FilterValue, ListFilter } from "@plumbline/client-runtime";

      /** The filter of \`listPets\`. \`Filter\` describes what it means. */
      export type ListPetsFilter = ListFilter<
        {
          readonly id: FilterValue<number, { gt: "+gt"; lt: "+lt"; ne: "+neq" }>;
          readonly name: FilterValue<string | null, { contains: "+contains" }>;
          readonly born: FilterValue<string, { gt: "+gt"; lt: "+lt"; ne: "+neq" }>;
          readonly tame: FilterValue<boolean, { ne: "+neq" }>;
          readonly toys: FilterValue<string, { ne: "+neq"; contains: "+contains" }>;
        },
        "+and" | "+or"
      > &
        FilterOrder<"+order_by", "+order", "id" | "name" | "born" | "tame">;
      "
    `);
  });

  test("filters in brackets by an object, without the keys of JSON", async () => {
    const brackets = shop
      .replace(
        "name: filter, in: query, content: {application/json: {schema",
        "name: filter, in: query, style: deepObject, schema",
      )
      .replace("schemas/Filter'}}}}]", "schemas/Filter'}}]")
      .replace(/ {2}filter: \{style: json.*\n.*\n/, "  filter: {style: brackets, operators: {gte: from, ne: not}}\n");
    const files = await generateClient(brackets);
    expect(functionBody(files, "filters.ts")).toContain(`ListPetsFilter = ListFilter<{
  readonly id: FilterValue<number, { gte: "from"; ne: "not" }>;
  readonly name: string | null;`);
    expect(functionBody(files, "filters.ts")).not.toContain("FilterOrder");
    expect(typeErrors(files)).toEqual([]);
  });

  test("paginates what most lists have with one function, and what others have with their own", async () => {
    const text = functionBody(await generateClient(shop), "pagination.ts");
    expect(text).toContain("export type PagedList = typeof listPets;");
    expect(text).toContain('{ page: "page", size: "size", items: "data", pages: "pages" }, list, client');
    expect(text).toContain("export function paginateListKeys(");
    expect(text).toContain('{ page: "after", size: "size", items: "keys", pages: "pages" }, listKeys, client');
  });

  test("waits for the states of what can be read", async () => {
    const text = functionBody(await generateClient(shop), "states.ts");
    expect(text).toContain('young: ["egg"],');
    expect(text).toContain('getPet(client, { path: { "pet-id": id } }, each)');
  });

  test("knows which operations a rate counts together, and for what", async () => {
    expect(functionBody(await generateClient(shop), "limits.ts")).toMatch(
      /\{ id: "makes", max: 5, windowSeconds: 60, operations: \["POST \/pets", "PUT \/pets\/\{pet-id\}"\] \},\s*\{ id: "meals", max: 3, windowSeconds: 86400, operations: \["PUT \/pets\/\{pet-id\}"\], per: "pet-id" \},/,
    );
  });

  test("compiles, and lets nothing through that the description does not allow", async () => {
    const use = `
import { createClient, getPet, listKeys, listPets, withRateLimit, paginateList, paginateListKeys, waitForPet, type Pet } from "./index.js";
const client = createClient({ baseUrl: "http://127.0.0.1", fetch: withRateLimit() });
const pets: Promise<IteratorResult<Pet>> = paginateList(listPets, client)[Symbol.asyncIterator]().next();
const keys: AsyncIterable<string> = paginateListKeys(client, { path: { name: "ann" } }, { concurrency: 2 });
const pet: Promise<Pet> = waitForPet(client, 5, "old");
const filtered = [
  listPets(client, { query: { filter: { id: { "+gt": 3 }, name: { "+contains": "a" }, tame: true, toys: "ball" } } }),
  listPets(client, { query: { filter: { "+or": [{ born: { "+lt": "2020-01-01" } }, { name: null }], "+order_by": "born", "+order": "desc" } } }),
];
void [pets, keys, pet, filtered];
// @ts-expect-error it has no pages
paginateList(getPet, client, { path: { "pet-id": 5 } });
// @ts-expect-error its pages are others
paginateList(listKeys, client, { path: { name: "ann" } });
// @ts-expect-error it needs the path parameters
paginateListKeys(client);
// @ts-expect-error there is no such state
void waitForPet(client, 5, "asleep");
// @ts-expect-error it cannot be filtered by
void listPets(client, { query: { filter: { secret: "a" } } });
// @ts-expect-error the description allows another operator alone
void listPets(client, { query: { filter: { name: { "+neq": "a" } } } });
// @ts-expect-error the condition has no such operator
void listPets(client, { query: { filter: { id: { "+gte": 3 } } } });
`;
    expect(typeErrors(await generateClient(shop), use)).toEqual([]);
  });
});

describe("an operation", () => {
  test.each([
    ["createPet", "paginateList"],
    ["createPet", "withRateLimit"],
    ["createPet", "waitForPet"],
    ["createPet", "withRetry"],
    ["createPet", "joinScopes"],
  ])("called as a helper is what users mean: %s as %s", async (from, to) => {
    const files = await generateClient(shop.replaceAll(from, to));
    expect(
      typeErrors(
        files,
        `import { ${to}, type Client } from "./index.js";
export async function mood(client: Client): Promise<string> {
  return (await ${to}(client)).mood;
}
`,
      ),
    ).toEqual([]);
  });
});

test("a schema may be called as the type of the lists is", async () => {
  const files = await generateClient(shop.replaceAll("Keys", "PagedList"));
  const use = `import { createClient, listPets, paginateList, type PagedList, type Pet } from "./index.js";
export const keys: PagedList = { keys: ["a"], pages: 1 };
export const pets: AsyncIterable<Pet> = paginateList(listPets, createClient({ baseUrl: "http://127.0.0.1" }));
`;
  expect(typeErrors(files, use)).toEqual([]);
});

describe("two state machines whose functions would be called alike", () => {
  const kept = (name: string, fields: string) =>
    `    ${name}:\n      type: object\n      properties:\n${fields}      x-resource: {owner: [user], read: get${name}}\n`;
  const stateMachine = (field: string, called = "") =>
    `        ${field}: {type: string, enum: [egg, old], x-state-machine: {${called}initial: [{event: {platform: lay}, to: egg}], transitions: [{event: {platform: age}, from: [egg], to: old}]}}\n`;
  const read = (name: string) =>
    `/${name}/{id}:\n  get: {operationId: get${name}, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], ${responsesOf(name)}}\n`;
  const zoo = (pet: string, mood: string) =>
    withPaths(read("Pet") + read("PetMood"), `components:\n  schemas:\n${kept("Pet", pet)}${kept("PetMood", mood)}`);
  const saidOf = (text: string) =>
    generateClient(text).then(
      (files) => typeErrors(files),
      (error: unknown) => {
        if (!(error instanceof DiagnosticsError)) throw error;
        return error.diagnostics.map(({ code, message }) => `${code} ${message}`);
      },
    );

  test.each([
    [
      zoo(stateMachine("mood") + stateMachine("size"), stateMachine("status")),
      "names/collision Another wait function has the name waitForPetMood.",
    ],
    [
      zoo(stateMachine("mood", "x-name: Life, "), stateMachine("status", "x-name: Life, ")),
      "names/collision Another wait function has the name life.",
    ],
    [
      zoo(stateMachine("mood", "x-name: WaitForPet, "), stateMachine("status")),
      "names/collision Another wait function has the name waitForPet.",
    ],
    [
      zoo(stateMachine("mood", "x-name: Delete, "), stateMachine("status")),
      "names/reserved A state machine cannot be called delete.",
    ],
  ])("are rejected", async (text, said) => {
    expect(await saidOf(text)).toEqual([said]);
  });

  test("have names of their own where the description gives them", async () => {
    const text = zoo(stateMachine("mood", "x-name: PetTemper, ") + stateMachine("size"), stateMachine("status"));
    expect(await saidOf(text)).toEqual([]);
  });
});

test("a client of an API without these features has no helpers", async () => {
  const files = await generateClient(
    withPaths(`/a:\n  get: {operationId: getA, responses: {'204': {description: ok}}}`),
  );
  const helpers = ["filters", "pagination", "states", "limits", "uploads"].map((name) => `src/gen/${name}.ts`);
  expect(helpers.filter((file) => file in files)).toEqual([]);
});
