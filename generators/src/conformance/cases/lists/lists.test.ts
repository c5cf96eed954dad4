import { expect, test } from "vitest";
import { contextFromText, createsUsers } from "../../context/fixture-context.support.js";
import { filterCases } from "./filters.js";
import { pageCases } from "./pages.js";

const pets = `openapi: 3.1.0
info: {title: Pets, version: '1'}
x-lists:
  pages: {page: page, size: page_size, envelope: {items: data, page: page, pages: pages, total: results}}
  filter:
    style: json
    parameter: X-Filter
    operators: {gt: +gt, gte: +gte, lt: +lt, lte: +lte, ne: +neq, contains: +contains}
    all: +and
    any: +or
    error: not-filterable
  order: {by: +order_by, direction: +order}
x-errors: [{id: not-filterable, status: 409}]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
        - {name: page_size, in: query, schema: {type: integer, minimum: 2, maximum: 5, default: 3}}
        - name: X-Filter
          in: header
          content: {application/json: {schema: {type: object, properties: {+and: {type: array, items: {type: object}}}}}}
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: {type: array, items: {$ref: '#/components/schemas/Pet'}}
                  page: {type: integer}
                  pages: {type: integer}
                  results: {type: integer}
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
      properties: {id: {type: integer, readOnly: true}, age: {type: integer, x-filterable: true}}
`;

test("pages are tested at their bounds and past them, after the last page, and in sequence", async () => {
  const cases = pageCases(await contextFromText(pets));
  expect(cases.map(({ id }) => id.replace("pets/listPets/pages/", ""))).toEqual([
    "page/is-1",
    "page/below-minimum",
    "page/negative",
    "page/text",
    "page/fraction",
    "page/empty",
    "page_size/is-2",
    "page_size/is-5",
    "page_size/below-minimum",
    "page_size/negative",
    "page_size/above-maximum",
    "page_size/text",
    "page_size/fraction",
    "page_size/empty",
    "past-the-last",
    "empty",
    "every-item-once",
  ]);
});

test("a size above the maximum is rejected without effect", async () => {
  const cases = pageCases(await contextFromText(pets));
  expect(cases.find(({ id }) => id.endsWith("page_size/above-maximum"))).toEqual({
    id: "pets/listPets/pages/page_size/above-maximum",
    kind: "pagination",
    operation: "listPets",
    title: "page_size rejects 6",
    requirements: [],
    requires: [],
    readOnly: true,
    steps: [{ call: "listPets", query: { page_size: 6 }, expect: { status: [400, 422] } }],
  });
});

test("one item more than fits a page is created in a new account, and found on two pages", async () => {
  const cases = pageCases(await contextFromText(pets, createsUsers));
  const walk = cases.find(({ id }) => id.endsWith("every-item-once"));
  const by = { user: "owner" };
  const key = (index: number): unknown => ({ properties: { id: { const: { $get: `all#/body/data/${index}/id` } } } });
  expect(walk?.steps.slice(0, 6)).toEqual([
    { actor: { account: "other" }, as: "owner" },
    { repeat: [{ call: "createPet", body: { age: 3 }, setup: true, by }], times: 4 },
    { call: "listPets", by, query: { page_size: 5 }, as: "all", expect: { status: 200 } },
    {
      check: { $count: { $get: "all#/body/data" } },
      matches: { const: { $get: "all#/body/results" }, minimum: 4 },
      message: "The reported number of items is wrong.",
    },
    { call: "listPets", by, query: { page_size: 2 }, as: "one", expect: { status: 200 } },
    {
      check: { $get: "one#/body" },
      matches: {
        properties: {
          data: { minItems: 2, maxItems: 2, prefixItems: [key(0), key(1)] },
          page: { const: 1 },
          results: { const: { $get: "all#/body/results" } },
        },
      },
      message: "Page 1 has other items than expected.",
    },
  ]);
});

test("a list is filtered with each operator of the type, and ordered if the order of the items is known", async () => {
  const filters = {
    listPets: { lesser: { with: { age: 1 } }, greater: { with: { age: 2 } }, differ: ["age"], identifyingField: "age" },
  };
  const cases = filterCases(await contextFromText(pets, { filters }));
  expect(cases.map(({ id }) => id.replace("pets/listPets/", ""))).toEqual([
    "filter/age/+eq",
    "filter/age/+neq",
    "filter/age/+gt",
    "filter/age/+gte",
    "filter/age/+lte",
    "filter/age/+lt",
    "order/age/asc",
    "order/age/desc",
    "filter/or",
    "filter/and",
    "filter/nested",
    "filter/or-beside",
    "order/none",
    "filter/id/not-filterable",
    "filter/unknown-field",
    "filter/order-unknown-field",
    "filter/no-json",
    "filter/no-object",
    "filter/unknown-operator",
    "filter/unknown-word",
    "filter/and-no-list",
    "filter/or-no-list",
    "filter/order-no-direction",
  ]);
  const unordered = cases.find(({ id }) => id.endsWith("order/none"))?.steps.at(-1);
  expect(unordered).toMatchObject({
    expect: {
      body: {
        properties: {
          data: {
            prefixItems: [
              { properties: { id: { const: { $get: "greater#/id" } } } },
              { properties: { id: { const: { $get: "lesser#/id" } } } },
            ],
          },
        },
      },
    },
  });
  const has = (item: string): unknown => ({ contains: { properties: { id: { const: { $get: `${item}#/id` } } } } });
  expect(cases.find(({ id }) => id.endsWith("age/+gt"))?.steps).toEqual([
    { make: "Pet", as: "greater", with: { age: 2 } },
    { make: "Pet", as: "lesser", with: { age: 1 } },
    {
      call: "listPets",
      query: { page_size: 5 },
      headers: {
        "X-Filter": {
          "+and": [
            { "+or": [{ age: { $get: "lesser#/age" } }, { age: { $get: "greater#/age" } }] },
            { age: { "+gt": { $get: "lesser#/age" } } },
          ],
        },
      },
      everyPage: true,
      expect: {
        status: 200,
        body: { properties: { data: { items: {}, allOf: [has("greater"), { not: has("lesser") }] } } },
      },
    },
  ]);
});

test("without the extensions there are no cases of pages and filters", async () => {
  const plain = await contextFromText(pets.replace(/x-lists:\n( .*\n)+/, "").replace(", x-filterable: true", ""));
  expect([...pageCases(plain), ...filterCases(plain)]).toEqual([]);
});

const boxes = `openapi: 3.1.0
info: {title: Boxes, version: '1'}
x-lists: {filter: FILTER, order: {parameter: sort}}
x-errors: [{id: no-such-field, status: 409}]
paths:
  /boxes:
    get:
      operationId: listBoxes
      tags: [boxes]
      parameters: [PARAMETERS, {name: sort, in: query, schema: {type: string}}]
      responses: {'200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Box'}}}}}}
    post:
      operationId: createBox
      tags: [boxes]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Box'}, example: {age: 3}}}}
      responses: {'200': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}}
components:
  schemas:
    Box:
      type: object
      required: [id, age, room]
      x-resource: {owner: [user], list: listBoxes}
      properties:
        id: {type: integer, readOnly: true}
        age: {type: integer, x-filterable: {operators: [gte]}}
        room: {type: string, x-filterable: true}
`;

async function boxCases(filter: string, parameters: string) {
  const filters = {
    listBoxes: {
      lesser: { with: { age: 1 } },
      greater: { with: { age: 2 } },
      differ: ["age"],
      identifyingField: "room",
    },
  };
  const text = boxes.replace("FILTER", filter).replace("PARAMETERS", parameters);
  const cases = filterCases(await contextFromText(text, { filters }));
  return cases.map(({ id, steps }) => {
    const step = steps.at(-1);
    return [
      id.replace("boxes/listBoxes/", ""),
      step !== undefined && "query" in step ? step.query : undefined,
    ] as const;
  });
}

const room = { $get: "greater#/room" };
const age = { $get: "lesser#/age" };

test("a filter in brackets is an object in the query, and the order a parameter", async () => {
  const filter = "{style: brackets, operators: {gte: from, ne: not}, error: no-such-field}";
  expect(await boxCases(filter, "{name: filter, in: query, style: deepObject, schema: {type: object}}")).toEqual([
    ["filter/age/eq", { filter: { age } }],
    ["filter/age/from", { filter: { room, age: { from: age } } }],
    ["order/age/asc", { filter: { room }, sort: "age" }],
    ["order/age/desc", { filter: { room }, sort: "-age" }],
    ["filter/room/eq", { filter: { room: { $get: "lesser#/room" } } }],
    ["filter/room/not", { filter: { room: { not: { $get: "lesser#/room" } } } }],
    ["filter/no-number", { filter: { age: "many" } }],
    ["filter/id/not-filterable", { filter: { id: "1" } }],
    ["filter/unknown-field", { filter: { no_such_field: 1 } }],
    ["filter/order-unknown-field", { sort: "no_such_field" }],
  ]);
});

test("a filter of query parameters has the fields and operators that the list declares", async () => {
  const parameters =
    "{name: age_from, in: query, schema: {type: integer}}, {name: room, in: query, schema: {type: string}}";
  expect(await boxCases("{style: query, operators: {gte: _from, ne: _not}}", parameters)).toEqual([
    ["filter/age/gte", { room, age_from: age }],
    ["order/age/asc", { room, sort: "age" }],
    ["order/age/desc", { room, sort: "-age" }],
    ["filter/room/eq", { room: { $get: "lesser#/room" } }],
  ]);
});
