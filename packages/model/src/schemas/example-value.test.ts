import { describe, expect, it, test } from "vitest";
import { buildFixtureApi, withSchemas } from "@plumbline/openapi/testing";
import type { Json } from "../api.js";
import { createExampleValue } from "./example-value.js";

describe("the example of a schema", () => {
  test.each<readonly [what: string, schema: string, example: Json]>([
    ["an example", "{type: string, examples: [web-1, web-2]}", "web-1"],
    ["a constant", "{const: false}", false],
    ["a default", "{type: integer, default: 0}", 0],
    ["the first enum value", "{enum: [small, large]}", "small"],
    ["a text of a format", "{type: string, format: ipv4}", "192.0.2.1"],
    ["a text of a minimum length", "{type: string, minLength: 3}", "xxx"],
    ["a number at its minimum", "{type: integer, minimum: 20}", 20],
    ["the first type beside null", "{type: ['null', boolean]}", true],
    ["an empty list", "{type: array, items: {type: string}}", []],
    ["a list that must not be empty", "{type: array, minItems: 1, items: {const: a}}", ["a"]],
    [
      "required properties",
      "{type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}",
      { id: 1 },
    ],
    [
      "all parts of allOf",
      "{allOf: [{$ref: '#/components/schemas/Named'}, {type: object, required: [size], properties: {size: {const: 2}}}]}",
      { name: "", size: 2 },
    ],
    ["the first of oneOf", "{oneOf: [{type: string, enum: [a]}, {type: 'null'}]}", "a"],
    ["an object of any form", "{}", {}],
  ])("is %s", async (_, schema, example) => {
    const named = "Named: {type: object, required: [name], properties: {name: {type: string}}}";
    const api = await buildFixtureApi(withSchemas(`Example: ${schema}\n${named}`));
    const found = api.schemas.find(({ name }) => name === "Example");
    expect(found && createExampleValue(api, found.schema)).toEqual(example);
  });

  it("ends where a schema requires itself", async () => {
    const api = await buildFixtureApi(
      withSchemas("Node: {type: object, required: [next], properties: {next: {$ref: '#/components/schemas/Node'}}}"),
    );
    expect(api.schemas.map(({ schema }) => createExampleValue(api, schema))).toEqual([{ next: { next: null } }]);
  });
});
