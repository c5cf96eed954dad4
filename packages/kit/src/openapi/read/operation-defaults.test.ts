import path from "node:path";
import { describe, expect, test } from "vitest";
import { valueAt } from "../../model/index.js";
import { lintFixtureLines } from "../lint/lint-fixture.support.js";
import { buildFixtureApi, withFixtureFolder } from "../testing.js";
import { bundleDescription } from "./bundle.js";
import { loadDescription } from "./load.js";

const root = (paths: string, defaults = "") => `openapi: 3.1.0
info: {title: Notes, version: '1'}
security: [{key: []}]
x-defaults:
  responses:
    '400': {$ref: '#/components/responses/Bad'}
    '401': {$ref: 'shared/responses.yaml#/NoKey'}
    '403': {description: No grant.}
    '404': {description: None.}
    '409': {description: Conflict.}
    '413': {description: Too large.}
    '429': {description: Too many.}
    default: {description: Other.}
  headers: {X-Id: {schema: {type: string}}}
${defaults}paths:
  ${paths}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: key}}
  responses: {Bad: {description: Bad.}}
`;
const shared = "NoKey: {description: No key.}\n";
const ok = "responses: {'200': {description: It.}}";

async function statusesOf(operation: string, template = "/notes", item = ""): Promise<string> {
  const api = await buildFixtureApi({
    "openapi.yaml": root(`${template}: {${item}get: {operationId: getNotes, ${operation}}}`).replace(
      "name: key}",
      levels,
    ),
    "shared/responses.yaml": shared,
  });
  return api.operations[0]?.responses.map(({ status }) => status).join(" ") ?? "";
}

const levels = "name: key, x-scopes: {areas: [notes], levels: {read: [], write: [read]}}}";
const query = "parameters: [{name: q, in: query, schema: {type: string}}]";
const id = "parameters: [{name: id, in: path, required: true, schema: {type: string}}]";
const body = "requestBody: {content: {application/json: {schema: {type: object}}}}";

test.each([
  ["nothing", ok, "/notes", "", "200 401 429 default"],
  ["a parameter", `${query}, ${ok}`, "/notes", "", "200 400 401 429 default"],
  ["a parameter of the path item", ok, "/notes", `${query}, `, "200 400 401 429 default"],
  ["a body", `${body}, ${ok}`, "/notes", "", "200 400 401 413 429 default"],
  ["a parameter in the path", `${id}, ${ok}`, "/notes/{id}", "", "200 400 401 404 429 default"],
  ["no security", `security: [], ${ok}`, "/notes", "", "200 429 default"],
  ["optional security", `security: [{}, {key: []}], ${ok}`, "/notes", "", "200 401 429 default"],
  ["grants", `x-grants: [{grant: read_notes}], ${ok}`, "/notes", "", "200 401 403 429 default"],
  [
    "a grant of the lowest level",
    `x-grants: [{on: $request.path.id, level: read}], ${ok}`,
    "/notes",
    "",
    "200 401 429 default",
  ],
  [
    "a grant of a higher level",
    `x-grants: [{on: $request.path.id, level: write}], ${ok}`,
    "/notes",
    "",
    "200 401 403 429 default",
  ],
  ["an error of that status", `x-errors: [{id: gone, status: 404}], ${ok}`, "/notes", "", "200 401 404 429 default"],
  ["a conflict", `x-errors: [{id: odd, status: 409}], ${ok}`, "/notes", "", "200 401 409 429 default"],
  ["no defaults", `x-defaults: false, ${query}, ${ok}`, "/notes", "", "200"],
])("an operation with %s has the responses that it can have", async (_, operation, template, item, statuses) => {
  expect(await statusesOf(operation, template, item)).toBe(statuses);
});

test("an operation keeps its own responses, and its headers of the same name", async () => {
  const { operations } = await buildFixtureApi({
    "openapi.yaml": root(`/notes:
    get:
      operationId: listNotes
      responses:
        '200': {description: All., headers: {x-id: {schema: {type: integer}}}}
        '204': {$ref: 'shared/responses.yaml#/None'}
        '429': {description: Own.}`),
    "shared/responses.yaml": `${shared}None: {description: None.}\n`,
  });
  expect(
    operations[0]?.responses.map(({ status, description, headers }) => [
      String(status),
      description,
      headers.map(({ name, schema }) => `${name}: ${schema.types.join()}`).join(),
    ]),
  ).toEqual([
    ["200", "All.", "x-id: integer"],
    ["204", "None.", ""],
    ["401", "No key.", ""],
    ["429", "Own.", "X-Id: string"],
    ["default", "Other.", "X-Id: string"],
  ]);
});

describe("a path item in another folder", () => {
  const files = {
    "openapi.yaml": root(
      "/notes/{id}: {$ref: 'notes/paths.yaml#/note'}\n  /memos/{id}: {$ref: 'notes/paths.yaml#/note'}",
    ),
    "notes/paths.yaml": `note: {get: {operationId: getNote, summary: A note, ${id}, ${ok}}}\n`,
    "shared/responses.yaml": shared,
  };

  test("has the defaults, whose references lead to where the root's do", async () => {
    await withFixtureFolder(files, async (folder) => {
      const bundled = await bundleDescription({ description: path.join(folder, "openapi.yaml"), overlays: [] });
      const operation = valueAt(bundled, ["paths", "/notes/{id}", "get"]);
      const item = valueAt(bundled, ["components", "pathItems", "note", "get"]);
      const responses = valueAt(operation ?? item, ["responses"]);
      expect(responses).toEqual({
        "200": { description: "It.", headers: { "X-Id": { schema: { type: "string" } } } },
        "400": { $ref: "#/components/responses/Bad" },
        "401": { $ref: "#/components/responses/NoKey" },
        "404": { description: "None.", headers: { "X-Id": { schema: { type: "string" } } } },
        "429": { description: "Too many.", headers: { "X-Id": { schema: { type: "string" } } } },
        default: { description: "Other.", headers: { "X-Id": { schema: { type: "string" } } } },
      });
    });
  });

  test("has findings at the place in the root that states them", async () => {
    await withFixtureFolder(files, async (folder) => {
      const { locate, sourceOf } = await loadDescription(path.join(folder, "openapi.yaml"));
      const missing = { file: "notes/paths.yaml", pointer: "/note/get/responses/404" };
      expect(sourceOf(missing)).toEqual({ file: "openapi.yaml", pointer: "/x-defaults/responses/404" });
      expect(locate(missing)).toMatchObject({ file: "openapi.yaml", line: 9 });
      const own = { file: "notes/paths.yaml", pointer: "/note/get/responses/200" };
      expect([sourceOf(own), locate(own).line]).toEqual([own, 1]);
    });
  });
});

const list = "/notes: {get: {operationId: listNotes, responses: {'200': {description: All.}}}}";

test.each([
  [
    "a reference to nothing",
    root(list).replace("shared/responses.yaml#/NoKey", "#/components/responses/NoKey"),
    ['7:5 openapi/no-unresolved-refs The reference "#/components/responses/NoKey" names nothing: there is no "NoKey".'],
  ],
  [
    "an unknown key",
    root(list, "  header: {}\n"),
    ['15:3 extension/schema x-defaults: "header" is not a key of a set of defaults.'],
  ],
  [
    "true on an operation",
    root(list.replace("responses", "x-defaults: true, responses")),
    ["16:42 extension/schema x-defaults: A boolean of this form is not allowed here."],
  ],
])("the linter reports %s where it stands", async (_, text, findings) => {
  const lines = await lintFixtureLines({ "openapi.yaml": text, "shared/responses.yaml": shared });
  expect(lines.filter((each) => /extension\/schema|no-unresolved-refs/.test(each))).toEqual(findings);
});
