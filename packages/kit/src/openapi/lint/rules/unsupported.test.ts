import { expect, test } from "vitest";
import { buildDescription, lintFixture, lintFixtureLines, lintMessages } from "../lint-fixture.support.js";

test.each(["{type: http, scheme: Bearer}", "{type: http, scheme: basic}", "{type: apiKey, in: query, name: key}"])(
  "a request can show %s",
  async (scheme) => {
    expect(await lintMessages("unsupported/security", { components: `securitySchemes: {a: ${scheme}}` })).toEqual([]);
  },
);

test("servers of the API are where a client goes, and those of a webhook no affair of its", async () => {
  const root =
    "webhooks:\n  made:\n    post:\n      operationId: made\n      summary: Made\n      servers: [{url: https://a.example}]\n      responses: {'200': {description: ok}, '400': {description: no}}";
  expect(await lintMessages("unsupported/servers", { root })).toEqual([]);
});

const withContent = (content: string) => ({
  paths: `/more:\n  get:\n    operationId: more\n    summary: More\n    tags: [notes]\n    responses:\n      '200': {description: ok, content: {${content}}}\n      '400': {description: no, content: {text/plain: {schema: {type: string}}, application/json: {}}}`,
});

test.each([
  ["application/json: {schema: {type: integer}}", []],
  ["application/json: {schema: {type: integer}}, application/xml: {schema: {type: integer}}", []],
  [
    "text/csv: {schema: {type: string}}, application/problem+json: {schema: {type: integer}}",
    ["Of these, a client reads application/problem+json only, not text/csv, which has another schema."],
  ],
  ["application/json;stream=watch: {schema: {type: integer}}, application/json: {schema: {type: integer}}", []],
  [
    "application/json;stream=watch: {schema: {type: string}}, application/json: {schema: {type: integer}}",
    [
      'Parameters of a media type do not select a schema: the schema of "application/json" is used, not that of "application/json;stream=watch".',
    ],
  ],
  [
    "text/csv: {schema: {type: string}}, image/png: {}",
    ["Of these, a client reads text/csv only, not image/png, which has another schema."],
  ],
])("of %s, unsupported parts are reported", async (content, messages) => {
  expect(await lintMessages("unsupported/content", withContent(content))).toEqual(messages);
});

test.each(["https://spec.openapis.org/oas/3.1/dialect/base", "https://json-schema.org/draft/2020-12/schema"])(
  "%s is the dialect in which schemas are read",
  async (dialect) => {
    expect(await lintFixture(buildDescription({ root: `jsonSchemaDialect: ${dialect}` }))).toEqual([]);
  },
);

test("unsupported keywords are warnings in third-party descriptions", async () => {
  const diagnostics = await lintFixture(buildDescription({ note: "$anchor: note" }), "minimal");
  expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    ["unsupported/keyword", "warning", '"$anchor" is not followed.'],
  ]);
});

test("a property may be called as a keyword is", async () => {
  expect(
    await lintFixtureLines(buildDescription({ properties: "$id: {type: integer}\n$anchor: {type: integer}" })),
  ).toEqual([]);
});

test("what OpenAPI 3.2 says besides passes", async () => {
  const operation = "parameters: [{name: c, in: cookie, style: cookie, schema: {type: integer}}]";
  const text = buildDescription({ operation })
    .replace("3.1.0", "3.2.0")
    .replace("tags: [{name: notes}]", "tags: [{name: notes, summary: Notes, kind: nav, parent: all}, {name: all}]");
  expect(await lintFixtureLines(text)).toEqual([]);
});
