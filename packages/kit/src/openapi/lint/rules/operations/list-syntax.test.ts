import { expect, test } from "vitest";
import { buildDescription, lintFixture, type DescriptionParts } from "../../lint-fixture.support.js";

const list = (lists: string, field = "true"): DescriptionParts => ({
  root: `x-lists: ${lists}`,
  properties: `size: {type: integer, x-filterable: ${field}}`,
  paths: `
/more:
  get:
    operationId: more
    summary: More
    tags: [notes]
    parameters: [{name: filter, in: query, style: deepObject, schema: {type: object, additionalProperties: true}}]
    responses:
      '200': {description: More, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}
      '400': {description: Less}`,
});

const problems = async (lists: string, field?: string) =>
  (await lintFixture(buildDescription(list(lists, field)))).map(
    ({ code, message, fix }) => `${code} ${message} ${fix ?? ""}`,
  );

test("a filter with a parameter that a list has", async () => {
  expect(await problems("{filter: {style: brackets}}", "{operators: [gte]}")).toEqual([]);
});

test("an unknown style", async () => {
  expect(await problems("{filter: {style: bracket}}")).toEqual([
    'lists/style "bracket" is not a style of filters. Did you mean "brackets"?',
  ]);
});

test("an operator without a spelling", async () => {
  expect(
    await problems("{filter: {style: brackets, operators: {gte: min, ne: not}}}", "{operators: [gte, lt]}"),
  ).toEqual([
    'lists/operator No filter of x-lists has a spelling of "lt". Add it to "operators" of the filter, or remove it here. The filter has gte, ne.',
  ]);
});

test("parameters that no list has, or in another form", async () => {
  expect(await problems("{filter: {style: json}, order: {descending: '!'}}")).toEqual([
    'lists/parameter No list has the parameter "filter" of the filter, with JSON in a header or in the query. Declare it in the lists that have the filter, or write its name as "parameter".',
    'lists/parameter No list has the query parameter "sort" of the order. Declare it in the lists that can be ordered, or write its name as "parameter".',
  ]);
});

test("a parameter that accepts no operator before its value", async () => {
  const prefixed = (type: string): DescriptionParts => {
    const { paths = "", ...parts } = list("{filter: {style: prefix}}", "{operators: [gte]}");
    return {
      ...parts,
      paths: paths.replace(/parameters: .*/, `parameters: [{name: size, in: query, schema: ${type}}]`),
    };
  };
  const problemsOf = async (type: string) =>
    (await lintFixture(buildDescription(prefixed(type)))).map(
      ({ code, message, fix }) => `${code} ${message} ${fix ?? ""}`,
    );
  expect(await problemsOf("{type: string}")).toEqual([]);
  expect(await problemsOf("{type: array, items: {type: string}}")).toEqual([]);
  expect(await problemsOf("{type: integer}")).toEqual([
    'lists/operator The parameter "size" accepts no text, so no request can write "gte" before its value. Let its schema accept a string, or remove "operators" of the field.',
  ]);
});
