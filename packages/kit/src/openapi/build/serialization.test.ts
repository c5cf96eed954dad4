import { expect, test } from "vitest";
import { loadDescription } from "../read/load.js";
import { buildForeignFixture, withFixtureFolder, withPaths } from "../testing.js";
import { buildApi } from "./build.js";

const records = "schema: {type: array, items: {type: object, properties: {x: {type: integer}}}}";
const withParameters = (parameters: string): string =>
  withPaths(
    `/a: {parameters: [${parameters}], get: {operationId: a, responses: {'200': {description: ok}}}, put: {operationId: b, responses: {'200': {description: ok}}}}\n`,
    "",
  );

test("a shared parameter is reported once, with its place and the way out", async () => {
  const { api, warnings } = await buildForeignFixture(withParameters(`{name: a, in: query, ${records}}`));
  expect(warnings).toEqual([
    expect.stringMatching(
      /^openapi\.yaml:\d+:\d+ unsupported\/parameter The query parameter "a" is sent in the style "deepObject": "form" writes no arrays or objects within others\. Write "style: deepObject", .*"nestedArrays" in plumbline\.yaml\.$/,
    ),
  ]);
  expect(api.operations.map(({ parameters }) => parameters[0]?.style)).toEqual(["deepObject", "deepObject"]);
});

test("nothing is reported where the form of arrays is chosen", async () => {
  const diagnostics = await withFixtureFolder(withParameters(`{name: a, in: query, ${records}}`), async (folder) => {
    const description = await loadDescription(`${folder}/openapi.yaml`);
    buildApi(description, { names: {}, requirements: undefined, nestedArrays: "repeat" });
    return description.diagnostics;
  });
  expect(diagnostics).toEqual([]);
});

test("a field of a form is written so as well, if it has a style", async () => {
  const content = (encoding: string): string =>
    `application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: array, items: {type: object, properties: {x: {type: integer}}}}}}${encoding}}`;
  for (const [encoding, expected] of [
    [", encoding: {a: {style: form}}", { a: { style: "deepObject", explode: true } }],
    ["", {}],
  ] as const) {
    const { api } = await buildForeignFixture(
      withPaths(
        `/a: {post: {operationId: a, requestBody: {content: {${content(encoding)}}}, responses: {'200': {description: ok}}}}\n`,
        "",
      ),
    );
    expect(api.operations[0]?.requestBody?.contents[0]?.encoding).toEqual(expected);
  }
});
