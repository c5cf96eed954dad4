import { expect, test } from "vitest";
import { baselineCases } from "./cases/operations.js";
import { contextFromText } from "./context/fixture-context.support.js";
import { possibleCases } from "./possible-cases.js";

/** The steps of the case of a valid request of `POST /doors`. Undefined if there is none. */
async function acceptsOf(schema: string, mediaType = "application/json"): Promise<unknown> {
  const context = await contextFromText(`openapi: 3.1.0
info: {title: Doors, version: '1'}
paths:
  /doors:
    post:
      operationId: addDoor
      tags: [doors]
      parameters: [{name: X-Key, in: header, required: true, schema: {type: string}}]
      requestBody: {required: true, content: {${mediaType}: {schema: ${schema}}}}
      responses: {'201': {description: Made.}}
`);
  return possibleCases(context, baselineCases(context)).find(({ id }) => id === "doors/addDoor/accepts")?.steps;
}

test("a body matches one branch of oneOf, and required headers are sent", async () => {
  const branch = (name: string, type: string): string => `{type: object, properties: {${name}: {type: ${type}}}}`;
  const schema = `{oneOf: [${branch("a", "integer")}, {type: object, required: [b], properties: {b: {type: string}}}]}`;
  expect(await acceptsOf(schema)).toEqual([{ call: "addDoor", headers: { "X-Key": "text" }, body: {} }]);
  const ambiguous = `{oneOf: [${branch("a", "integer")}, {type: object, properties: {a: {type: string}}}]}`;
  expect(await acceptsOf(ambiguous)).toMatchObject([{ body: { a: 1 } }]);
});

test("a form is sent", async () => {
  const schema = "{type: object, required: [a], properties: {a: {type: string}}}";
  expect(await acceptsOf(schema, "application/x-www-form-urlencoded")).toMatchObject([{ body: { a: "text" } }]);
});

test.each([
  ["a schema without a value", "{allOf: [{type: integer}, {type: string}]}", "application/json"],
  ["a body of another kind", "{type: string, format: binary}", "image/png"],
])("there is no case for %s", async (_, schema, mediaType) => {
  expect(await acceptsOf(schema, mediaType)).toBeUndefined();
});
