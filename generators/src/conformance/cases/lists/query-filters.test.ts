import { withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import type { ConformanceSettings } from "../../context/settings.js";
import { generateCases } from "../../generate-cases.js";
import { untestedRules } from "../../untested-rules.js";

const pet =
  "{type: object, properties: {id: {type: integer}, kind: {type: string, enum: [cat, dog, cow]}, name: {type: string}}}";
const kind = "{type: string, enum: [dog, cow]}";
const description = (parameters: string): string =>
  withPaths(`/houses:
  post: {operationId: createHouse, responses: {'201': {description: made, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}
/houses/{houseId}/pets:
  parameters: [&house {name: houseId, in: path, required: true, schema: {type: integer}}]
  get:
    operationId: listPets
    parameters: [${parameters}]
    responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: ${pet}}}}}}}}
  post:
    operationId: createPet
    requestBody: {required: true, content: {application/json: {schema: ${pet}}}}
    responses: {'201': {description: made, content: {application/json: {schema: ${pet}}}}}
/houses/{houseId}:
  parameters: [*house]
  get: {operationId: getHouse, responses: {'200': {description: one}}}
/houses/{houseId}/pets/{petId}:
  parameters: [*house, {name: petId, in: path, required: true, schema: {type: integer}}]
  get: {operationId: getPet, responses: {'200': {description: one, content: {application/json: {schema: ${pet}}}}}}
`);

async function filtersOf(parameters: string, settings: Partial<ConformanceSettings> = {}) {
  const context = await contextFromText(description(parameters), settings);
  const cases = generateCases(context.api, context.options);
  return { cases: cases.filter((each) => each.kind === "filters"), warnings: untestedRules(context, cases) };
}

test("a query parameter with the name of an item's field lists only items with its value", async () => {
  const { cases } = await filtersOf(
    `{name: kind, in: query, schema: ${kind}}, {name: name, in: query, schema: {type: string}}`,
  );
  const pets = "/houses/{houseId}/pets/{petId}";
  const of = { "/houses/{houseId}": { $get: "houseId" } };
  const dog = { properties: { kind: { const: { $get: "matching#/kind" } } }, required: ["kind"] };
  // `cat` is no value of the parameter, and two names are not known to be accepted.
  expect(cases).toMatchObject([
    {
      id: "default/listPets/filter/kind/equals",
      steps: [
        { make: "/houses/{houseId}", as: "houseId", fresh: true },
        { make: pets, as: "other", with: { kind: "cow" }, of, fresh: true },
        { make: pets, as: "matching", with: { kind: "dog" }, of, fresh: true },
        {
          call: "listPets",
          path: { houseId: { $get: "houseId#/id" } },
          query: { kind: { $get: "matching#/kind" } },
          expect: { body: { properties: { data: { items: dog, contains: dog } }, required: ["data"] } },
        },
      ],
    },
  ]);
});

test("filters of the settings without an effect are a finding", async () => {
  const filters = {
    listPets: { differ: [], distinct: ["name"], greater: { with: { name: "b" } }, lesser: { with: { name: "a" } } },
  };
  const used = await filtersOf("{name: name, in: query, schema: {type: string}}", { filters });
  expect(used.cases.map(({ id }) => id)).toEqual(["default/listPets/filter/name/equals"]);
  expect(used.warnings).toEqual([]);
  const unused = await filtersOf("{name: names, in: query, schema: {type: string}}", { filters });
  expect(unused.cases).toEqual([]);
  expect(unused.warnings).toMatchObject([
    {
      code: "conformance/no-case",
      message: "No case tests the filter of listPets, and `filters.listPets` of the settings has no effect.",
    },
  ]);
});
