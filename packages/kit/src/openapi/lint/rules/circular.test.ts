import { expect, test } from "vitest";
import { buildDescription, lintFixture, lintFixtureLines } from "../lint-fixture.support.js";

test.each([
  "Loop: {type: object, properties: {next: {$ref: '#/components/schemas/Loop'}}}",
  "Loop: {type: array, items: {$ref: '#/components/schemas/Loop'}}",
  "Loop: {oneOf: [{type: string, maxLength: 9}, {type: array, items: {$ref: '#/components/schemas/Loop'}}]}",
])("%s holds itself, and is a type", async (schema) => {
  const parts = { schemas: schema, properties: "loop: {$ref: '#/components/schemas/Loop'}" };
  expect(await lintFixture(buildDescription(parts))).toEqual([]);
});

test.each([
  ["Loop: {allOf: [{$ref: '#/components/schemas/Loop'}]}", ["26:5"]],
  ["Loop: {anyOf: [{type: 'null'}, {oneOf: [{type: integer}, {$ref: '#/components/schemas/Loop'}]}]}", ["26:5"]],
  [
    "Loop: {oneOf: [{type: integer}, {$ref: '#/components/schemas/Other'}]}\nOther: {oneOf: [{type: 'null'}, {$ref: '#/components/schemas/Loop'}]}",
    ["26:5", "27:5"],
  ],
  ["Loop: {not: {$ref: '#/components/schemas/Loop'}}", ["26:5"]],
  ["Loop: {if: {required: [a]}, else: {$ref: '#/components/schemas/Loop'}}", ["26:5"]],
  ["Loop: {dependentSchemas: {a: {allOf: [{$ref: '#/components/schemas/Loop'}]}}}", ["26:5"]],
])("%s is one of its own branches", async (schemas, places) => {
  const text = buildDescription({ schemas, properties: "loop: {$ref: '#/components/schemas/Loop'}" });
  const lines = await lintFixtureLines(text, "minimal");
  expect(lines).toEqual(
    places.map(
      (place) => `${place} description/circular This schema is one of its own branches, with nothing between.`,
    ),
  );
});
