import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { describeListLanguage } from "./list-language.js";

const description = (lists: string, parameters: string): string =>
  withPaths(
    `/boxes:
  get:
    operationId: listBoxes
    parameters: [${parameters}]
    responses: {'200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Box'}}}}}}
`,
    `x-lists: ${lists}
components:
  schemas:
    Box:
      type: object
      properties:
        label: {type: string, examples: [blue], x-filterable: true}
        size: {type: integer, x-filterable: {operators: [gte, lt]}}
`,
  );

test.each([
  [
    "json",
    "{filter: {style: json, parameter: X-Filter, operators: {gte: $gte}}, order: {by: $by, direction: $to}}",
    "{name: X-Filter, in: header, content: {application/json: {schema: {type: object}}}}",
    ["", "$gte"],
    ['X-Filter: {"label":"blue","size":{"$gte":10}}', 'X-Filter: {"$by":"label","$to":"desc"}'],
  ],
  [
    "brackets",
    "{filter: {style: brackets, operators: {gte: min, contains: like}}, order: {descending: '!'}}",
    "{name: filter, in: query, style: deepObject, schema: {type: object}}, {name: sort, in: query, schema: {type: string}}",
    ["like", "min"],
    ["filter[label]=blue&filter[size][min]=10", "sort=!label"],
  ],
  [
    "query",
    "{filter: {style: query}}",
    "{name: label, in: query, schema: {type: string}}, {name: size_gte, in: query, schema: {type: integer}}",
    ["", "size_gte"],
    ["label=blue&size_gte=10"],
  ],
  [
    "prefix",
    "{filter: {style: prefix, operators: {gte: '>='}}}",
    "{name: label, in: query, schema: {type: string}}, {name: size, in: query, schema: {type: string}}",
    ["", ">="],
    ["label=blue&size=>=10"],
  ],
])("a filter in the style %s has examples", async (_, lists, parameters, operators, examples) => {
  const api = await buildFixtureApi(description(lists, parameters));
  const [operation] = api.operations;
  const language = operation && describeListLanguage(api, operation);
  expect(language?.fields.map((field) => field.operators)).toEqual(operators);
  expect(language?.examples).toEqual(examples);
});
