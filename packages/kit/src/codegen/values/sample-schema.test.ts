import { describe, expect, it, test } from "vitest";
import type { Json } from "../../model/index.js";
import { buildFixtureApi, withSchemas } from "../../openapi/testing.js";
import { sampleSchema } from "./sample-schema.js";

describe("the sample of a schema", () => {
  test.each<readonly [what: string, schema: string, sample: Json]>([
    ["an example", "{type: string, examples: [web-1, web-2]}", "web-1"],
    ["the first valid example", "{type: integer, examples: [many, 7]}", 7],
    ["a constant", "{const: false}", false],
    ["a default", "{type: integer, default: 0}", 0],
    ["the first enum value", "{enum: [small, large]}", "small"],
    ["a text of a format", "{type: string, format: ipv4}", "192.0.2.1"],
    ["a text of a format and a length", "{type: string, format: email, minLength: 18}", "aaaaaa@example.com"],
    ["a text of a minimum length", "{type: string, minLength: 7}", "example-1"],
    ["a text of a pattern and a length", "{type: string, pattern: '^[A-Z]{3}-\\d{2,4}$', minLength: 8}", "AAA-1111"],
    ["a number at its minimum", "{type: integer, minimum: 20}", 20],
    ["a number between two others", "{type: number, exclusiveMinimum: 1, maximum: 1.5, multipleOf: 0.25}", 1.25],
    ["a common multiple", "{type: integer, allOf: [{multipleOf: 4}, {multipleOf: 6}]}", 12],
    ["the first type beside null", "{type: ['null', boolean]}", true],
    ["an empty list", "{type: array, items: {type: string}}", []],
    ["a list that must not be empty", "{type: array, minItems: 1, items: {const: a}}", ["a"]],
    [
      "a list of different items",
      "{type: array, minItems: 3, uniqueItems: true, items: {enum: [a, b, c]}}",
      ["a", "b", "c"],
    ],
    ["a list with what it must contain", "{type: array, items: {type: integer}, contains: {minimum: 5}}", [5]],
    ["a tuple", "{type: array, prefixItems: [{const: t}, {type: integer}], items: false}", ["t", 1]],
    [
      "a map",
      "{type: object, minProperties: 2, additionalProperties: {type: integer}}",
      { property1: 1, property2: 1 },
    ],
    [
      "required properties",
      "{type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}",
      { id: 1 },
    ],
    [
      "all parts of allOf",
      "{allOf: [{$ref: '#/components/schemas/Named'}, {type: object, required: [size], properties: {size: {const: 2}}}]}",
      { name: "text", size: 2 },
    ],
    ["the first of oneOf", "{oneOf: [{type: string, enum: [a]}, {type: 'null'}]}", "a"],
    ["of exactly one branch", "{oneOf: [{type: integer}, {type: number}]}", 0.5],
    ["not what it must not be", "{type: string, enum: [a, b], not: {const: a}}", "b"],
    ["an object of any form", "{}", {}],
  ])("is %s", async (_, schema, sample) => {
    const named = "Named: {type: object, required: [name], properties: {name: {type: string}}}";
    const api = await buildFixtureApi(withSchemas(`Example: ${schema}\n${named}`));
    const found = api.schemas.find(({ name }) => name === "Example");
    expect(found && sampleSchema(api, found.schema)).toEqual({ value: sample, isValid: true });
  });

  test.each([
    ["{type: integer, minimum: 2, maximum: 1}", 1],
    ["{type: array, minItems: 3, uniqueItems: true, items: {enum: [a, b]}}", ["a", "b", "a"]],
    [
      "{type: object, required: [next], properties: {next: {$ref: '#/components/schemas/Example'}}}",
      { next: { next: {} } },
    ],
  ])("says that %s has none", async (schema, nearest) => {
    const api = await buildFixtureApi(withSchemas(`Example: ${schema}`));
    expect(api.schemas.map((each) => sampleSchema(api, each.schema))).toEqual([{ value: nearest, isValid: false }]);
  });

  it("names the schema of a discriminator", async () => {
    const api = await buildFixtureApi(
      withSchemas(`Cat: {type: object, required: [kind], properties: {kind: {type: string}}}
Dog: {type: object, required: [kind], properties: {kind: {type: string}}}
Owner: {anyOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}}`),
    );
    const owner = api.schemas.find(({ name }) => name === "Owner");
    expect(owner && sampleSchema(api, owner.schema).value).toEqual({ kind: "cat" });
  });

  it("leaves out what only the other side has", async () => {
    const api = await buildFixtureApi(
      withSchemas(
        "Key: {type: object, minProperties: 1, properties: {secret: {type: string, writeOnly: true}, id: {type: integer}}}",
      ),
    );
    const [key] = api.schemas;
    expect(key && sampleSchema(api, key.schema, { without: "writeOnly" }).value).toEqual({ id: 1 });
  });
});
