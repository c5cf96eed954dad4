import { describe, expect, expectTypeOf, test } from "vitest";
import { defineOperation } from "../../http/index.js";
import { petsSource } from "../ajv/pets-source.support.js";
import { normalizeObject } from "../checks/normalize.js";
import { createPet, listPets, getPet, putPhoto } from "../pets.support.js";
import type { JsonSchema } from "../schemas.js";
import { standardInput, standardSchema, withOptions, type StandardOptions, type StandardValue } from "./index.js";

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

  test("checks files of a form", () => {
    const { validate } = standardInput(putPhoto, { path: {}, responses: {} })["~standard"];
    const withPhoto = (photo: unknown) => validate({ path: { petId: 1 }, body: { photo } });
    expect(withPhoto(new File(["a"], "rex.png"))).toMatchObject({
      value: { body: { photo: expect.any(File) as File } },
    });
    for (const photo of ["x", {}])
      expect(withPhoto(photo)).toEqual({ issues: [{ path: ["body", "photo"], message: "must be a file" }] });
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

  test("has defaults in its output, and may lack them in its input", () => {
    const target = "draft-2020-12";
    const { input, output } = listed["~standard"].jsonSchema;
    expect(input({ target })).not.toHaveProperty("required");
    expect(output({ target })).toMatchObject({
      required: ["query", "headers"],
      properties: { query: { required: ["page"] } },
    });
    const filled = standardInput(createPet, schemasOf("createPet"), ["kind"]).body["~standard"].jsonSchema;
    expect(filled.input({ target })).toMatchObject({ required: ["name"] });
    expect(filled.output({ target })).toMatchObject({ type: "object", required: ["name", "kind"] });
  });
});

describe("the options of a schema", () => {
  const validateAll = withOptions(listed, { reason: (issue, { path }) => JSON.stringify([issue, path]) });

  test.each<[part: "query" | "headers", sent: object, issue: object, path: readonly unknown[]]>([
    ["query", { page: 0 }, { in: "query", field: "page", code: "range", reason: "must be 1 to 1000" }, []],
    [
      "query",
      { tags: ["a"] },
      { in: "query", field: "tags.0", code: "length", reason: "must be 3 to 50 characters" },
      [0],
    ],
    [
      "headers",
      { "X-Filter": "{" },
      { in: "header", field: "X-Filter", code: "syntax", reason: "must be valid JSON" },
      [],
    ],
  ])("say for %s %j what a validator says", (part, sent, issue, path) => {
    const own = [validateAll[part]["~standard"].validate(sent), validateAll["~standard"].validate({ [part]: sent })];
    for (const { issues = [] } of own)
      expect(issues.map(({ message }) => JSON.parse(message))).toEqual([[issue, path]]);
  });

  const normalize = normalizeObject(() => ({ known: new Set(["name"]) }));
  const [content] = Object.values(createPet.definition.body?.contents ?? {});
  const body = { contents: { "application/json": { ...content, normalize } } };
  const stripping = standardInput(defineOperation<{ body: object }>({ ...createPet.definition, body }), {
    responses: {},
  });

  test.each<[unknown: NonNullable<StandardOptions["unknown"]>, result: object]>([
    ["ignore", { value: { name: "Rex", x: 1 } }],
    ["strip", { value: { name: "Rex" } }],
    ["reject", { issues: [{ path: ["x"], message: "is not a known field" }] }],
  ])("treat unknown fields: %s", (unknown, result) => {
    expect(withOptions(stripping.body, { unknown })["~standard"].validate({ name: "Rex", x: 1 })).toEqual(result);
  });

  test("are known, and `unknown` is for inputs", () => {
    expect(() => withOptions(created, { unknow: "strip" } as StandardOptions)).toThrow("Unknown option `unknow`.");
    const named = withOptions(
      standardSchema(() => undefined, {}),
      { unknown: "reject" },
    );
    expect(() => named["~standard"].validate({})).toThrow("A named schema accepts undocumented properties.");
  });
});

const describeFor = (target: string, schema: JsonSchema): JsonSchema =>
  standardSchema(() => undefined, schema)["~standard"].jsonSchema.input({ target });

describe("the root of a schema", () => {
  test.each<[schema: JsonSchema, root: JsonSchema]>([
    [{ $ref: "#/$defs/A", $defs: { A: { type: "object" }, B: {} } }, { type: "object" }],
    [
      { $ref: "#/$defs/A", title: "t", $defs: { A: { $ref: "#/$defs/B", title: "A" }, B: { type: "object" } } },
      { type: "object", title: "t" },
    ],
    [
      {
        $ref: "#/$defs/A",
        $defs: { A: { type: "object", properties: { b: { $ref: "#/$defs/B" } } }, B: { type: "null" } },
      },
      { type: "object", properties: { b: { $ref: "#/$defs/B" } }, $defs: { B: { type: "null" } } },
    ],
    [
      { $ref: "#/$defs/A", $defs: { A: { type: "object", additionalProperties: { $ref: "#/$defs/A" } } } },
      {
        type: "object",
        additionalProperties: { $ref: "#/$defs/A" },
        $defs: { A: { type: "object", additionalProperties: { $ref: "#/$defs/A" } } },
      },
    ],
    [
      { allOf: [{ title: "t" }, { $ref: "#/$defs/A" }], $defs: { A: { type: "object" } } },
      { type: "object", allOf: [{ title: "t" }, { $ref: "#/$defs/A" }], $defs: { A: { type: "object" } } },
    ],
    [
      { oneOf: [{ type: "object" }, { type: "object" }] },
      { type: "object", oneOf: [{ type: "object" }, { type: "object" }] },
    ],
    [{ oneOf: [{ type: "object" }, { type: "null" }] }, { oneOf: [{ type: "object" }, { type: "null" }] }],
    // Rules beside a reference may not replace those of the definition.
    [
      { $ref: "#/$defs/A", minProperties: 1, $defs: { A: { type: "object", minProperties: 2 } } },
      { type: "object", $ref: "#/$defs/A", minProperties: 1, $defs: { A: { type: "object", minProperties: 2 } } },
    ],
    [
      { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } },
      { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } },
    ],
  ])("of %j is %j", (schema, root) => {
    expect(describeFor("draft-2020-12", schema)).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...root,
    });
  });

  test("is that of a body, and of a group of parameters", () => {
    for (const { "~standard": props } of [created.body, listed.query])
      expect(props.jsonSchema.input({ target: "draft-2020-12" })).toMatchObject({ type: "object" });
  });
});

describe.each([
  ["draft-07", { $schema: "http://json-schema.org/draft-07/schema#" }, 1],
  ["openapi-3.0", {}, 2],
] as const)("%s", (target, head, column) => {
  test.each<[schema: JsonSchema, draft07: JsonSchema, openApi30: JsonSchema]>([
    [
      { $ref: "#/$defs/A", $defs: { A: false } },
      { $ref: "#/definitions/A", definitions: { A: false } },
      { $ref: "#/definitions/A", definitions: { A: { not: {} } } },
    ],
    [
      { $ref: "#/$defs/A", title: "t" },
      { title: "t", allOf: [{ $ref: "#/definitions/A" }] },
      { title: "t", allOf: [{ $ref: "#/definitions/A" }] },
    ],
    [
      { type: ["string", "null"], enum: ["a", null], examples: ["a"] },
      { type: ["string", "null"], enum: ["a", null], examples: ["a"] },
      { type: "string", nullable: true, enum: ["a", null], example: "a" },
    ],
    [
      { type: ["string", "array"] },
      { type: ["string", "array"] },
      { allOf: [{ anyOf: [{ type: "string" }, { type: "array", items: {} }] }] },
    ],
    [{ type: "null" }, { type: "null" }, { type: "string", nullable: true, enum: [null] }],
    [{ const: 1 }, { const: 1 }, { enum: [1] }],
    [
      { exclusiveMinimum: 0, minimum: 0, exclusiveMaximum: 9, maximum: 8 },
      { exclusiveMinimum: 0, minimum: 0, exclusiveMaximum: 9, maximum: 8 },
      { minimum: 0, exclusiveMinimum: true, maximum: 8 },
    ],
    [
      { type: "string", contentEncoding: "base64" },
      { type: "string", contentEncoding: "base64" },
      { type: "string", format: "byte" },
    ],
    [
      { prefixItems: [{ type: "string" }], items: false },
      { items: [{ type: "string" }], additionalItems: false },
      { items: { anyOf: [{ type: "string" }] }, maxItems: 1 },
    ],
    [
      { prefixItems: [{ type: "string" }], maxItems: 2 },
      { items: [{ type: "string" }], maxItems: 2 },
      { items: { anyOf: [{ type: "string" }, {}] }, maxItems: 2 },
    ],
    [
      { dependentRequired: { a: ["b"] }, dependentSchemas: { a: { minProperties: 2 }, c: {} } },
      { dependencies: { a: { allOf: [{ minProperties: 2 }, { required: ["b"] }] }, c: {} } },
      {},
    ],
    [
      { patternProperties: { "^a": { type: "string" } }, additionalProperties: false },
      { patternProperties: { "^a": { type: "string" } }, additionalProperties: false },
      { additionalProperties: { type: "string" } },
    ],
    [
      { "x-luhn": { prefixItems: [{ $ref: "a", title: "t" }] } },
      { "x-luhn": { prefixItems: [{ $ref: "a", title: "t" }] } },
      { "x-luhn": { prefixItems: [{ $ref: "a", title: "t" }] } },
    ],
    [
      { contains: {}, minContains: 1, enum: [{ $ref: "a" }] },
      { contains: {}, enum: [{ $ref: "a" }] },
      { enum: [{ $ref: "a" }] },
    ],
    [{ contains: { type: "null" }, minContains: 0 }, {}, {}],
    [{ unevaluatedProperties: false }, { additionalProperties: false }, { additionalProperties: false }],
    [{ allOf: [{}], unevaluatedProperties: false }, { allOf: [{}] }, { allOf: [{}] }],
    // Where a part accepts more, these would accept less.
    [{ not: { maxContains: 1 } }, {}, {}],
    [{ if: { maxContains: 1 }, then: { maxItems: 1 } }, {}, {}],
    [
      { oneOf: [{ maxContains: 1 }, { type: "null" }] },
      { allOf: [{ anyOf: [{}, { type: "null" }] }] },
      { allOf: [{ anyOf: [{}, { type: "string", nullable: true, enum: [null] }] }] },
    ],
    [
      {
        not: { $ref: "#/$defs/A" },
        items: { $ref: "#/$defs/A" },
        $defs: { A: { $ref: "#/$defs/B" }, B: { maxContains: 1 } },
      },
      { items: { $ref: "#/definitions/A" }, definitions: { A: { $ref: "#/definitions/B" }, B: {} } },
      { items: { $ref: "#/definitions/A" }, definitions: { A: { $ref: "#/definitions/B" }, B: {} } },
    ],
  ])("of %j", (...schemas) => {
    expect(describeFor(target, schemas[0])).toEqual({ ...head, ...schemas[column] });
  });
});

test("another target is rejected", () => {
  expect(() => describeFor("draft-04", {})).toThrow(
    'Unsupported target "draft-04". Use draft-2020-12, draft-07, openapi-3.0.',
  );
});
