import { Location } from "@redocly/openapi-core/lib/ref-utils.js";
import { Source } from "@redocly/openapi-core/lib/resolve.js";
import { AjvValidator } from "@redocly/openapi-core/lib/rules/ajv.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../../../test/support/property-testing.js";
import { isSurelyValid, type ExampleContext } from "./surely-valid.js";

const named: Readonly<Record<string, unknown>> = {
  "#/Id": { type: "integer", minimum: 1 },
  "#/Loop": { $ref: "#/Loop" },
  "#/Fan": { anyOf: [{ $ref: "#/Fan" }, { $ref: "#/Fan" }] },
  "#/Tree": { type: "object", properties: { children: { type: "array", items: { $ref: "#/Tree" } } } },
};

const resolve: ExampleContext["resolve"] = (reference, file) =>
  reference in named ? { node: named[reference], file } : undefined;

function isSure(schema: unknown, value: unknown, direction?: "request" | "response"): boolean {
  return isSurelyValid(schema, value, { file: "openapi.yaml", resolve, direction });
}

/** What Redocly's validator says, which is right where the two differ. */
function isValid(schema: unknown, value: unknown, direction?: "request" | "response"): boolean {
  const source = new Source("/openapi.yaml", "");
  const found = new AjvValidator().validate(
    value,
    schema as Parameters<AjvValidator["validate"]>[1],
    {
      schemaLoc: new Location(source, "#/schema"),
      instancePath: "#/example",
      resolve: ({ $ref }: { readonly $ref: string }) => ({ node: named[$ref], location: new Location(source, $ref) }),
      allowAdditionalProperties: true,
      ajvContext: direction === undefined ? {} : { apiContext: direction },
      specVersion: "oas3_1",
    } as unknown as Parameters<AjvValidator["validate"]>[2],
  );
  return found.valid;
}

const fields = { type: "object", required: ["id"], properties: { id: { $ref: "#/Id" }, name: { maxLength: 3 } } };
const typed = { oneOf: [{ type: "string" }, { type: "integer" }] };
const tagged = {
  oneOf: ["a", "c"].map((kind) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: kind }, b: { type: "integer" } },
  })),
};
const conditional = { if: { required: ["a"] }, then: { required: ["b"] }, else: { required: ["c"] } };

describe("a look at a schema shows that a value is valid", () => {
  test.each<readonly [schema: unknown, valid: unknown, invalid: unknown]>([
    [{ type: "string", minLength: 2, maxLength: 2 }, "😀a", "😀"],
    [{ type: ["integer", "null"] }, null, 1.5],
    [{ enum: ["a", 1] }, 1, "b"],
    [{ const: "a" }, "a", "b"],
    [{ minimum: 1, exclusiveMaximum: 3 }, 1, 3],
    [{ maximum: 3, exclusiveMinimum: 1 }, 3, 1],
    [{ pattern: "^a+$" }, "aa", "ab"],
    [{ format: "date-time" }, "2026-01-02T03:04:05Z", "2026-01-02"],
    [{ format: "int32" }, 7, 2 ** 40],
    [{ format: "of-our-own" }, "any", undefined],
    [fields, { id: 1, name: "abc", more: true }, { name: "abc" }],
    [{ ...fields, additionalProperties: false }, { id: 1 }, { id: 1, more: true }],
    [{ additionalProperties: { type: "string" } }, { a: "b" }, { a: 1 }],
    [{ dependentRequired: { a: ["b"] } }, { a: 1, b: 2 }, { a: 1 }],
    [{ propertyNames: { pattern: "^a" } }, { ab: 1 }, { b: 1 }],
    [{ minProperties: 1, maxProperties: 2 }, { a: 1 }, {}],
    [{ items: { $ref: "#/Id" }, minItems: 1, maxItems: 2 }, [1, 2], [0]],
    [{ uniqueItems: true, items: { type: "string" } }, ["a", "b"], ["a", "a"]],
    [{ contains: { const: 1 }, maxContains: 2 }, [1, 1, 2], [2]],
    [{ $ref: "#/Tree" }, { children: [{ children: [] }] }, { children: [{ children: 1 }] }],
    [{ allOf: [{ type: "string" }, { minLength: 1 }] }, "a", ""],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, null, 1],
    [typed, 1, 1.5],
    [{ not: typed }, true, "a"],
    [conditional, { a: 1, b: 2 }, { b: 2 }],
    [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1, b: 2 }, { a: 1 }],
    [{ patternProperties: { "^a": { type: "string" } } }, { ab: "c", b: 1 }, { ab: 1 }],
    [
      { discriminator: { propertyName: "kind" }, ...tagged },
      { kind: "a", b: 1 },
      { kind: "a", b: "c" },
    ],
    [{ "x-source": ["a"], description: "b", $comment: "c", deprecated: true }, "d", undefined],
  ])("%j", (schema, valid, invalid) => {
    expect([isSure(schema, valid), isValid(schema, valid)]).toEqual([true, true]);
    expect([isSure(schema, invalid), invalid !== undefined && isValid(schema, invalid)]).toEqual([false, false]);
  });

  test.each<readonly [schema: unknown, value: unknown]>([
    [{ type: "string", nullable: true }, null],
    [{ patternProperties: { "(": true } }, { a: 1 }],
    [{ discriminator: { propertyName: "kind" }, oneOf: [{ properties: { kind: {} } }] }, { kind: "a" }],
    [{ $ref: "#/Loop" }, 1],
    [{ $ref: "#/Fan" }, 1],
    [{ $ref: "#/Absent" }, 1],
    [{ pattern: "(" }, "a"],
    [{ const: { a: 1 } }, { a: 1 }],
    [{ ofNoDialect: 1 }, 1],
    ["no schema", 1],
  ])("or leaves it open: %j", (schema, value) => {
    expect(isSure(schema, value)).toBe(false);
  });

  test("or that the other direction has a property", () => {
    const schema = { required: ["id"], properties: { id: { type: "integer", readOnly: true } } };
    expect([isSure(schema, { id: 1 }), isSure(schema, { id: 1 }, "response")]).toEqual([true, true]);
    expect([isSure(schema, { id: 1 }, "request"), isValid(schema, { id: 1 }, "request")]).toEqual([false, false]);
    expect([isSure(schema, {}, "request"), isValid(schema, {}, "request")]).toEqual([false, true]);
  });
});

test("what is surely valid is valid", () => {
  const value = fc.letrec<{ readonly value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<unknown>(null, true, "", "a", "ab", "2026-01-02", 0, 1, 2.5),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("value"), { maxKeys: 2 }),
    ),
  })).value;
  const schema = fc.letrec<{ readonly schema: unknown }>((tie) => {
    const list = fc.array(tie("schema"), { minLength: 1, maxLength: 2 });
    const names = fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 });
    const size = fc.integer({ min: 0, max: 2 });
    const keyed = fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 });
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.boolean(),
        fc.record(
          {
            type: fc.constantFrom("null", "boolean", "string", "integer", "number", "array", "object"),
            enum: fc.array(fc.constantFrom<unknown>(null, "a", 1, true), { minLength: 1, maxLength: 3 }),
            minLength: size,
            maxItems: size,
            minProperties: size,
            maximum: size,
            format: fc.constantFrom("date", "int32", "else"),
            required: names,
            properties: keyed,
            additionalProperties: tie("schema"),
            dependentRequired: fc.dictionary(fc.constantFrom("a", "b"), names, { maxKeys: 1 }),
            dependentSchemas: keyed,
            patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), tie("schema"), { maxKeys: 1 }),
            propertyNames: tie("schema"),
            items: tie("schema"),
            contains: tie("schema"),
            uniqueItems: fc.boolean(),
            allOf: list,
            anyOf: list,
            oneOf: list,
            not: tie("schema"),
            if: tie("schema"),
            then: tie("schema"),
            else: tie("schema"),
          },
          { requiredKeys: [] },
        ),
      ),
    };
  }).schema;
  let sure = 0;
  fc.assert(
    fc.property(schema, value, (each, example) => {
      if (!isSure(each, example)) return;
      sure += 1;
      expect(isValid(each, example)).toBe(true);
    }),
    propertyRuns(200, 20_000),
  );
  expect(sure).toBeGreaterThan(30);
});
