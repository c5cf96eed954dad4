import { describe, expect, expectTypeOf, test } from "vitest";
import { petsSource } from "../ajv/pets-source.support.js";
import { createPet, listPets, getPet } from "../pets.support.js";
import type { JsonSchema } from "../schemas.js";
import { standardInput, standardSchema, type StandardValue } from "./index.js";

const schemasOf = (name: string) => petsSource.schemas[name] ?? { responses: {} };
const created = standardInput(createPet, schemasOf("createPet"));
const listed = standardInput(listPets, schemasOf("listPets"));
const read = standardInput(getPet, schemasOf("getPet"));

describe("the input of an operation", () => {
  test.each<[value: unknown, result: unknown]>([
    [{ body: { name: "Rex" } }, { value: { body: { name: "Rex" } } }],
    [{}, { issues: [{ path: ["body"], message: "is required" }] }],
    [{ body: { name: "x" } }, { issues: [{ path: ["body", "name"], message: "must be 3 to 20 characters" }] }],
    ["x", { issues: [{ path: [], message: "must be an object" }] }],
  ])("of %j: %j", (value, result) => {
    expect(created["~standard"].validate(value)).toEqual(result);
  });

  test("has parts with types, whose texts are decoded as in a request", () => {
    expectTypeOf<StandardValue<typeof listed.query>["page"]>().toEqualTypeOf<number>();
    const { validate } = listed.query["~standard"];
    expect(validate({})).toEqual({ value: { page: 1 } });
    expect(validate({ tags: ["abc"] })).toEqual({ value: { page: 1, tags: ["abc"] } });
    expect(validate({ tags: ["a"] })).toEqual({
      issues: [{ path: ["tags", 0], message: "must be 3 to 50 characters" }],
    });
    expect(validate({ page: 0, tags: ["ab"] })).toEqual({
      issues: [
        { path: ["page"], message: "must be 1 to 1000" },
        { path: ["tags", 0], message: "must be 3 to 50 characters" },
      ],
    });
    expect(validate(null)).toEqual({ issues: [{ path: [], message: "must be an object" }] });
    expect(listed.headers["~standard"].validate({ "x-filter": { a: 1 } })).toEqual({ value: { "X-Filter": { a: 1 } } });
    expect(read.path["~standard"].validate({})).toEqual({ issues: [{ path: ["petId"], message: "is required" }] });
  });

  test("describes itself, with the definitions of its parts", () => {
    const described = created["~standard"].jsonSchema.output({ target: "draft-2020-12" });
    expect(described).toMatchObject({
      type: "object",
      properties: { body: { $ref: "#/$defs/Pet" } },
      required: ["body"],
      $defs: { Pet: { type: "object" } },
    });
  });
});

test.each<[schema: JsonSchema, converted: JsonSchema]>([
  [
    { $ref: "#/$defs/A", $defs: { A: false } },
    { $ref: "#/$defs/A", $defs: { A: false } },
  ],
  [
    { $ref: "#/$defs/A", title: "t" },
    { title: "t", allOf: [{ $ref: "#/$defs/A" }] },
  ],
  [
    { prefixItems: [{ type: "string" }], items: false },
    { items: [{ type: "string" }], additionalItems: false },
  ],
  [
    { dependentRequired: { a: ["b"] }, dependentSchemas: { a: { minProperties: 2 }, c: {} } },
    { dependencies: { a: { allOf: [{ minProperties: 2 }, { required: ["b"] }] }, c: {} } },
  ],
  [
    { "x-luhn": { prefixItems: [{ $ref: "a", title: "t" }] } },
    { "x-luhn": { prefixItems: [{ $ref: "a", title: "t" }] } },
  ],
  [
    { contains: {}, minContains: 1, enum: [{ $ref: "a" }] },
    { contains: {}, enum: [{ $ref: "a" }] },
  ],
])("%j in draft 07 is %j", (schema, converted) => {
  const { jsonSchema } = standardSchema(() => undefined, schema)["~standard"];
  const $schema = "http://json-schema.org/draft-07/schema#";
  expect(jsonSchema.input({ target: "draft-07" })).toEqual({ $schema, ...converted });
});

test.each(["minContains", "maxContains", "unevaluatedItems"])("draft 07 has no %s", (keyword) => {
  const { jsonSchema } = standardSchema(() => undefined, { properties: { a: { [keyword]: 2 } } })["~standard"];
  expect(() => jsonSchema.input({ target: "draft-07" })).toThrow(`Draft 07 has no keyword ${keyword}.`);
  expect(() => jsonSchema.input({ target: "openapi-3.0" })).toThrow('Unsupported target "openapi-3.0".');
});
