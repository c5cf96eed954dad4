import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { filterCases } from "./filters.js";
import { pageCases } from "./pages.js";

const pets = (
  lists: string,
  size = ", {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 9}}",
): string => `openapi: 3.1.0
info: {title: Pets, version: '1'}
x-lists: ${lists}
x-errors: [{id: unknown-cursor, status: 410, field: after}]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      parameters: [{name: after, in: query, schema: {type: string}}, {name: sort, in: query, schema: {type: string}}${size}]
      responses:
        '200':
          description: All.
          headers: {X-Next: {schema: {type: string}}}
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
    post:
      operationId: createPet
      tags: [pets]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}, example: {age: 3}}}}
      responses: {'200': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
  /pets/{petId}:
    delete:
      operationId: deletePet
      tags: [pets]
      parameters: [{name: petId, in: path, required: true, schema: {type: integer}, x-reference: {to: Pet}}]
      responses: {'204': {description: Gone.}}
components:
  schemas:
    Pet:
      type: object
      x-resource: {owner: [account], list: listPets, delete: deletePet}
      required: [age]
      properties: {id: {type: integer, readOnly: true}, age: {type: integer, x-filterable: true}}
`;
const pages = "pages: {cursor: after, size: size, next: $response.header.X-Next, error: unknown-cursor}";

test("a list with cursors is walked, changed and given an unknown one", async () => {
  const context = await contextFromText(pets(`{${pages}, order: {}}`));
  expect(pageCases(context).map(({ id }) => id.replace("pets/listPets/pages/", ""))).toEqual([
    "size/below-minimum",
    "size/negative",
    "size/above-maximum",
    "size/text",
    "size/fraction",
    "size/empty",
    "after/unknown",
    "after/every-item-once",
    "after/order",
    "after/changes",
  ]);
});

test("an item is deleted and one is created between two pages", async () => {
  const context = await contextFromText(pets(`{${pages}}`));
  const steps = pageCases(context).find(({ id }) => id.endsWith("after/changes"))?.steps ?? [];
  expect(steps.filter((step) => "call" in step).map(({ call, query, path }) => [call, query ?? path])).toEqual([
    ["listPets", { size: 9 }],
    ["listPets", { size: 1 }],
    ["deletePet", { petId: { $get: "one#/body/0/id" } }],
    ["listPets", { size: 9, after: { $get: "one#/headers/x-next" } }],
  ]);
});

test("a list whose pages have a fixed size is not walked", async () => {
  const context = await contextFromText(pets("{pages: {cursor: after, next: $response.header.X-Next}}", ""));
  expect(pageCases(context)).toEqual([]);
});

test("a list that is ordered only has both directions", async () => {
  const context = await contextFromText(pets("{order: {}}"), {
    filters: {
      listPets: { greater: { with: { age: 9 } }, lesser: { with: { age: 4 } }, differ: ["age"], present: ["age"] },
    },
  });
  const cases = filterCases(context);
  expect(cases.map(({ id }) => id)).toEqual(["pets/listPets/order/age/asc", "pets/listPets/order/age/desc"]);
  expect(cases[1]?.steps.at(-1)).toEqual({
    call: "listPets",
    query: { sort: "-age" },
    expect: {
      status: 200,
      body: {
        minItems: 2,
        prefixItems: [{ required: ["age"], properties: { age: { minimum: { $get: "greater#/age" } } } }],
      },
    },
  });
});

test("a list is not ordered by a field that other items may lack", async () => {
  const context = await contextFromText(pets("{order: {}}").replace("required: [age]", "required: []"), {
    filters: { listPets: { greater: { with: { age: 9 } }, lesser: { with: { age: 4 } }, differ: ["age"] } },
  });
  expect(filterCases(context)).toEqual([]);
});
