import { expect, test } from "vitest";
import type { Api } from "../../model/index.js";
import { buildFixtureApi, withPaths } from "../testing.js";

/** A description whose errors have this schema. */
async function described(
  schema: string,
  { root = "", media = "application/problem+json", more = "" } = {},
): Promise<Api> {
  return buildFixtureApi(
    withPaths(
      `/notes:
  get:
    operationId: listNotes
    responses:
      '200': {description: ok}
      '404': {description: no, content: {${media}: {schema: {$ref: '#/components/schemas/Problem'}}}}
      default: {description: no, content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
      ${more}`,
      `${root}\ncomponents: {schemas: {Problem: ${schema}}}`,
    ),
  );
}

const rfc9457 = `{type: object, required: [type, title, status, detail], additionalProperties: false, properties: {
  type: {type: string, format: uri-reference}, title: {type: string}, status: {type: integer, minimum: 100, maximum: 599},
  detail: {type: string, maxLength: 1024}, instance: {type: string, format: uri-reference},
  errors: {type: array, items: {type: object, required: [detail], additionalProperties: false,
    properties: {detail: {type: string}, pointer: {type: string}, parameter: {type: string}, header: {type: string}}}}}}`;

test.each([
  ["the schema of RFC 9457", rfc9457],
  ["any object", "{type: object}"],
  ["any value", "{}"],
  ["composed schemas", "{allOf: [{type: object, properties: {status: {type: number}}}, {required: [title]}]}"],
])("%s accepts problem details", async (_, schema) => {
  expect((await described(schema)).problemDetails).toEqual({
    sources: [],
    origin: { file: "openapi.yaml", pointer: "" },
  });
});

const field = (name: string, schema: string): string => `{type: object, properties: {${name}: ${schema}}}`;

test.each([
  ["a field that no problem has", "{type: object, required: [code]}"],
  ["a required instance, which validators lack", "{type: object, required: [instance]}"],
  ["a required list of entries", "{type: object, required: [errors]}"],
  ["no other fields", "{type: object, additionalProperties: false, properties: {title: {type: string}}}"],
  ["a text", "{type: string}"],
  ["alternatives", "{oneOf: [{type: object}, {type: string}]}"],
  ["types of its own", field("type", "{enum: [urn:a, urn:b]}")],
  ["a status that is a text", field("status", "{type: string}")],
  ["a status of another response", field("status", "{const: 400}")],
  ["a range of statuses", field("status", "{type: integer, maximum: 499}")],
  ["a short detail", field("detail", "{type: string, maxLength: 100}")],
  ["a pattern", field("title", "{type: string, pattern: '^A'}")],
  ["an absolute instance", field("instance", "{type: string, format: uri}")],
  ["entries that are texts", field("errors", "{type: array, items: {type: string}}")],
  ["entries with a reason", field("errors", "{type: array, items: {type: object, required: [reason]}}")],
  ["a map of entries", field("errors", "{type: object}")],
])("%s is filled by its schema instead", async (_, schema) => {
  expect((await described(schema)).problemDetails).toBeUndefined();
});

test("every documented body is a problem", async () => {
  expect((await described(rfc9457, { media: "application/json" })).problemDetails).toBeUndefined();
  const also = "'400': {description: no, content: {text/html: {}}}";
  expect((await described(rfc9457, { more: also })).problemDetails).toBeUndefined();
  expect((await described(rfc9457, { more: "'400': {description: no}" })).problemDetails).toBeDefined();
});

test("the root decides", async () => {
  const root = "x-problem-details: {types: 'https://notes.example/problems/', x-source: [r1]}";
  expect((await described("{type: string}", { root })).problemDetails).toEqual({
    types: "https://notes.example/problems/",
    sources: [{ requirement: "r1" }],
    origin: { file: "openapi.yaml", pointer: "/x-problem-details" },
  });
  expect((await described("{type: string}", { root: "x-problem-details: true" })).problemDetails).toBeDefined();
  expect((await described(rfc9457, { root: "x-problem-details: false" })).problemDetails).toBeUndefined();
});

test("without documented bodies there are no problem details", async () => {
  const api = await buildFixtureApi(withPaths("/a: {get: {responses: {'404': {description: no}}}}"));
  expect(api.problemDetails).toBeUndefined();
});
