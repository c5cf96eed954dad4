import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { describeListParameter } from "./list-arguments.js";

const describe = async (lists: string, parameters: string): Promise<Readonly<Record<string, string | undefined>>> => {
  const api = await buildFixtureApi(
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
        size: {type: integer, x-filterable: true}
        tags: {type: array, items: {type: string}, x-filterable: {operators: [contains]}}
        color: {type: string, x-filterable: true}
`,
    ),
  );
  const [list] = api.operations;
  if (list === undefined) throw new Error("The description has no list.");
  return Object.fromEntries(
    list.parameters.map((each) => [each.name, describeListParameter(api, list, each)] as const),
  );
};

const sort = "{name: sort, in: query, schema: {type: string}}";
const page = "{name: page, in: query, schema: {type: integer}}";

test("a filter in brackets, and an order", async () => {
  const filter = "{name: filter, in: query, style: deepObject, schema: {type: object}}";
  const lists = "{filter: {style: brackets, operators: {gte: min, contains: like}}, order: {}}";
  expect(await describe(lists, `${filter}, ${sort}, ${page}`)).toEqual({
    filter:
      'Fields: size (min), tags (like), color (like). {"size": {"min": …}} compares; a value alone has to be equal.',
    sort: "Orders by a field: size, color. - before it: greatest first.",
    page: undefined,
  });
});

test("a filter in JSON has joins and an order", async () => {
  const filter = "{name: filter, in: header, content: {application/json: {schema: {type: object}}}}";
  const lists = "{filter: {style: json, operators: {ne: not}}, order: {by: by, direction: way}}";
  expect(await describe(lists, filter)).toEqual({
    filter:
      'Fields: size (not), tags, color (not). {"size": {"not": …}} compares; a value alone has to be equal. "or": [filters] matches any of them. Order: {"by": field, "way": "asc" or "desc"}.',
  });
});

test("fields with their own parameters", async () => {
  const parameters =
    "{name: size_gte, in: query, schema: {type: integer}}, {name: color, in: query, schema: {type: string}}";
  expect(await describe("{filter: {style: query}}", parameters)).toEqual({
    size_gte: "size is as great, or greater.",
    color: undefined,
  });
  expect(await describe("{filter: {style: prefix, operators: {ne: '!', contains: '~'}}}", parameters)).toEqual({
    size_gte: undefined,
    color: "A value that it equals, or one that follows !, ~",
  });
});

test("a list that is ordered only", async () => {
  expect(await describe("{order: {}}", sort)).toEqual({
    sort: "Orders by a field: size, color. - before it: greatest first.",
  });
});
