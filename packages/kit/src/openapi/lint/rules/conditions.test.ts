import { describe, expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages, type DescriptionParts } from "../lint-fixture.support.js";

const when = (condition: string): DescriptionParts => ({
  note: "x-resource: {owner: [user], list: createNote}",
  operation: `x-errors: [{id: odd, status: 400, field: null, when: ${condition}}]`,
  properties:
    "copy_of: {type: integer, x-reference: {to: Note}}\nparts: {type: array, items: {type: object, properties: {label: {type: string}}}}",
});

describe("conditions/compile", () => {
  test.each([
    "{pattern: '[\\w-.]'}",
    "{$ref: '#/components/schemas/Broken'}",
    "{enum: []}",
    "{anyOf: []}",
    "{prefixItems: {}}",
    "{items: [{}]}",
    "{required: [a, a]}",
    "{required: [1]}",
    "{type: text}",
    "{type: []}",
    "{type: [string, string]}",
    "{maxLength: -1}",
    "{minItems: 1.5}",
    "{exclusiveMinimum: true}",
    "{uniqueItems: 1}",
    "{title: 1}",
    "{not: {properties: {a: {if: 1}}}}",
    "{dependentRequired: {a: 1}}",
  ])("%s does not", async (schema) => {
    const parts = when(`{body: {properties: {text: ${schema}}}}`);
    expect(
      await lintMessages("conditions/compile", {
        ...parts,
        schemas: "Broken: {type: string, maxLength: 9, pattern: '['}",
      }),
    ).toHaveLength(1);
  });

  test("a schema that leads back to itself does", async () => {
    const parts = when("{body: {$ref: '#/components/schemas/Tree'}}");
    expect(
      await lintFixture(
        buildDescription({
          ...parts,
          schemas:
            "Tree: {type: object, properties: {children: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}",
        }),
      ),
    ).toEqual([]);
  });

  test("two schemas may have the same $id", async () => {
    const odd = (type: string) => `{id: odd, status: 400, field: null, when: {body: {$id: 'x:text', type: ${type}}}}`;
    const parts = { operation: `x-errors: [${odd("object")}, ${odd("[object, 'null']")}]` };
    expect(await lintMessages("conditions/compile", parts)).toEqual([]);
  });

  test("an unresolved reference is reported once", async () => {
    const diagnostics = await lintFixture(buildDescription(when("{body: {$ref: '#/components/schemas/Nothing'}}")));
    expect(diagnostics.map((each) => each.code)).toEqual(["openapi/no-unresolved-refs"]);
  });
});

test.each([
  "{body: {properties: {text: {const: a}}, required: [text]}}",
  "{body: {not: {anyOf: [{required: [text]}, {required: [copy_of]}]}}}",
  "{body: {properties: {parts: {contains: {properties: {label: {const: a}}}}}}}",
  "{target: {properties: {text: {const: a}}}}",
  "{refs: {copy_of: {properties: {text: {const: a}}}}}",
  "{caller: {properties: {user: {const: a}}}}",
  "{changes: [text]}",
])("%s asks for fields that are there", async (condition) => {
  expect(await lintFixture(buildDescription(when(condition)))).toEqual([]);
});

test.each([
  ["{body: {properties: {txet: {const: a}}}}", 'The body has no field "txet".'],
  ["{body: {not: {anyOf: [{required: [txet]}]}}}", 'The body has no field "txet".'],
  ["{body: {properties: {parts: {contains: {properties: {lable: {const: a}}}}}}}", 'The body has no field "lable".'],
  ["{target: {properties: {txet: {const: a}}}}", 'The target has no field "txet".'],
  ["{refs: {copy_of: {required: [txet]}}}", 'The resource of "copy_of" has no field "txet".'],
  ["{changes: [txet]}", 'The body has no field "txet".'],
])("%s does not", async (condition, message) => {
  expect(await lintMessages("conditions/field", when(condition))).toEqual([message]);
});

test("`where` asks the resource, `public` its own schema", async () => {
  const parts = (field: string): DescriptionParts => ({
    note: `x-resource: {owner: [user], public: {properties: {${field}: {const: a}}}}`,
    properties: `copy_of: {type: integer, x-reference: {to: Note, where: {properties: {${field}: {const: a}}}}}`,
  });
  expect(await lintFixture(buildDescription(parts("text")))).toEqual([]);
  expect(await lintMessages("conditions/field", parts("txet"))).toEqual([
    'The resource has no field "txet".',
    'The resource has no field "txet".',
  ]);
});

test("what Redocly says of required fields is not said of conditions", async () => {
  expect(await lintFixture(buildDescription(when("{body: {required: [text]}}")))).toEqual([]);
});
