import { expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages, type DescriptionParts } from "../../lint-fixture.support.js";

const list = (parameters: string, fields: string): DescriptionParts => ({
  root: "x-lists: {pages: {page: page, size: page_size, envelope: {items: data, page: page, pages: pages, total: results}}}",
  paths: `
/more:
  get:
    operationId: more
    summary: More
    tags: [notes]
    parameters: [${parameters}]
    responses:
      '200': {description: More, content: {application/json: {schema: {type: object, properties: {${fields}}}}}}
      '400': {description: Less}`,
});
const page = "{name: page, in: query, schema: {type: integer}}";
const size = "{name: page_size, in: query, schema: {type: integer}}";
const envelope =
  "data: {type: array, items: {type: integer}}, page: {type: integer}, pages: {type: integer}, results: {type: integer}";

test("a paginated list has both parameters and the whole envelope", async () => {
  expect(await lintFixture(buildDescription(list(`${page}, ${size}`, envelope)))).toEqual([]);
});

test("an operation without a page parameter is not a list", async () => {
  expect(await lintFixture(buildDescription(list("", "id: {type: integer}")))).toEqual([]);
});

test("a parameter or a field that is missing", async () => {
  expect(await lintMessages("pagination/unknown", list(page, envelope.replace("results", "total")))).toEqual([
    'more is paginated and has no query parameter "page_size".',
    'more is paginated and its response has no field "results".',
  ]);
});

test("descriptions of others have warnings, since clients could not find the next page", async () => {
  const text = buildDescription(list(`${page}, ${size}`, envelope.replace("pages: {type: integer}, ", "")));
  expect((await lintFixture(text, "minimal")).map(({ severity, message }) => [severity, message])).toEqual([
    ["warning", 'more is paginated and its response has no field "pages".'],
  ]);
});

test("an incomplete field is reported once", async () => {
  const root = "x-lists: {pages: {page: page, envelope: {items: data, page: page, pages: pages, total: results}}}";
  const text = buildDescription({ ...list(page, envelope), root });
  expect((await lintFixture(text)).map(({ code, message }) => [code, message])).toEqual([
    ["extension/schema", 'x-lists: "size" is missing.'],
  ]);
});

const cursorList = (
  keys: string,
  { parameters = "", fields = "data: {type: array, items: {type: integer}}, next: {type: string}" } = {},
): DescriptionParts => ({
  ...list(`{name: after, in: query, schema: {type: string}}${parameters}`, fields),
  root: `x-lists: {pages: {cursor: after, ${keys}}}`,
});
const inData = "envelope: {items: data}";

test("a list with a cursor needs no size, and no other field of an envelope", async () => {
  const parts = cursorList(`next: $response.body#/next, ${inData}`);
  expect(await lintFixture(buildDescription(parts))).toEqual([]);
});

test.each([
  [
    `next: $response.body#/nxt, ${inData}`,
    'more is paginated and its response has no field "nxt". Did you mean "next"?',
  ],
  [
    "next: $response.header.X-Next",
    'more is paginated and its response has no header "X-Next". There are no headers at all.',
  ],
  [
    `next: next, ${inData}`,
    '"next" is no place of a response. Write a field such as `$response.body#/next`, or a header such as `$response.header.X-Next`.',
  ],
  [
    "next: $response.body#/next, envelope: {items: date}",
    'more is paginated and its response has no field "date". Did you mean "data"?',
  ],
  [
    `next: $response.body#/next, size: limit, ${inData}`,
    'No list has the query parameter "limit" of the size. Declare it in the lists with a cursor, or remove "size".',
  ],
])("a cursor with %s", async (keys, problem) => {
  const found = await lintFixture(buildDescription(cursorList(keys)));
  expect(found.map(({ message, fix }) => [message, fix].filter(Boolean).join(" "))).toEqual([problem]);
});

test("a cursor whose parameter no list has", async () => {
  const parts = cursorList("next: $response.body#/next").root?.replace("after", "cursor") ?? "";
  expect(
    await lintMessages("pagination/unknown", { ...cursorList("next: $response.body#/next"), root: parts }),
  ).toEqual(['No list has the query parameter "cursor" of the cursor.']);
});

test("a header that responses document can have the cursor", async () => {
  const parts = cursorList("next: $response.header.X-Next");
  const paths = parts.paths?.replace("'200': {", "'200': {headers: {x-next: {schema: {type: string}}}, ");
  expect(await lintFixture(buildDescription({ ...parts, ...(paths !== undefined && { paths }) }))).toEqual([]);
});
