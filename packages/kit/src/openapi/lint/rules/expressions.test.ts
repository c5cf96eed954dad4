import { describe, expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages, type DescriptionParts } from "../lint-fixture.support.js";

/** An operation with parameters, and a grant with the expression. */
const on = (expression: string): DescriptionParts => ({
  note: "x-resource: {owner: [user]}",
  operation: `parameters:
  - {name: dry, in: query, schema: {type: boolean}}
  - {name: X-Reason, in: header, schema: {type: string}}
x-grants: [{on: ${expression}, level: read_only}]`,
  properties: `others: {type: array, items: {type: integer, x-reference: {to: Note}}}
copy_of: {type: integer, x-reference: {to: Note}}
deep: {oneOf: [{type: object, properties: {a: {$ref: '#/components/schemas/Deep'}}}, {type: string}]}
devices: {type: object, properties: {sda: {type: object, properties: {disk_id: {type: integer}}}}}
free: {type: object, additionalProperties: true}
anything: {}`,
  schemas: "Deep: {type: object, properties: {b: {type: integer}}}",
});

test.each([
  "$request.query.dry",
  "$request.header.x-reason",
  "$request.body",
  "$request.body#/copy_of",
  "$request.body#/others/*",
  "$request.body#/deep/a/b",
  "$request.body#/devices/*/disk_id",
  "$request.body#/free/whatever",
  "$request.body#/anything/at/all",
  "$response.body#/id",
  "$target#/text",
  "$refs.copy_of#/text",
  "$caller.user",
])("%s is there", async (expression) => {
  expect(await lintFixture(buildDescription(on(expression)))).toEqual([]);
});

test.each([
  ["$request.path.noteId", 'createNote has no path parameter "noteId".'],
  ["$request.query.X-Reason", 'createNote has no query parameter "X-Reason".'],
  ["$request.body#/copies", 'The request body has no field "copies".'],
  ["$request.body#/id/*", 'The request body has no field "id/*".'],
  ["$request.body#/deep/a/c", 'The request body has no field "deep/a/c".'],
  ["$response.body#/ids", 'The response has no field "ids".'],
  ["$target#/texts", 'The target has no field "texts".'],
  ["$refs.copy_of#/texts", 'The resource of "copy_of" has no field "texts".'],
  ["$refs.text#/id", '"text" is not a field with an x-reference.'],
])("%s is not", async (expression, message) => {
  expect(await lintMessages("expressions/unknown", on(expression))).toEqual([message]);
});

test.each(["$request.body/id", "request.body#/id", "$nobody", "$request.cookie.a"])(
  "%s is not an expression",
  async (expression) => {
    expect(await lintMessages("expressions/syntax", on(expression))).toEqual([
      `"${expression}" is not a valid expression.`,
    ]);
  },
);

describe("in a schema", () => {
  const value = (from: string): DescriptionParts => ({
    properties: `pool:
  type: object
  properties:
    count: {type: integer}
    autoscaler: {type: object, properties: {max: {type: integer}, min: {type: integer, x-value: [{absent: true, set: {from: ${from}}}]}}}`,
  });

  test.each(["1/max", "2/count", "3/text", "$request.body#/pool/count"])("%s leads to a neighbour", async (from) => {
    expect(await lintFixture(buildDescription(value(from)))).toEqual([]);
  });

  test.each([
    ["1/count", 'What is 1 up from here has no field "count".'],
    ["4/text", "What is 4 up from here is not there."],
  ])("%s does not", async (from, message) => {
    expect(await lintMessages("expressions/unknown", value(from))).toEqual([message]);
  });
});

test("the right side of a comparison may be a literal", async () => {
  const compare = (right: string) => ({
    operation: `x-errors: [{id: odd, status: 400, field: null, when: {compare: [$request.body#/text, eq, ${right}]}}]`,
  });
  expect(await lintFixture(buildDescription(compare("full")))).toEqual([]);
  expect(await lintFixture(buildDescription(compare("12")))).toEqual([]);
  expect(await lintMessages("expressions/unknown", compare("$request.body#/txet"))).toEqual([
    'The request body has no field "txet".',
  ]);
});
