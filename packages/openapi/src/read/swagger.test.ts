import { expect, test } from "vitest";
import { buildFixtureApi, buildForeignFixture } from "../testing.js";
import { lintFixture } from "../lint/lint-fixture.support.js";
import { swaggerTokens } from "./swagger-places.js";

const swagger = (rest: string): string => `swagger: '2.0'
info: {title: Notes, version: 1.0.0}
host: notes.example
${rest}`;

async function lines(text: string, ruleset: "strict" | "minimal"): Promise<readonly string[]> {
  const diagnostics = await lintFixture(text, ruleset);
  return diagnostics.map(({ code, severity, origin: { line, column, pointer } }) =>
    [severity, code, `${line}:${column}`, pointer].join(" "),
  );
}

const start = "warning description/converted 1:1 /swagger";

test("the strict ruleset accepts no Swagger, neither in the linter nor in the model", async () => {
  const text = swagger("paths: {}\n");
  expect(await lines(text, "strict")).toEqual(["error description/converted 1:1 /swagger"]);
  await expect(buildFixtureApi(text)).rejects.toThrow("This is Swagger 2.0; 3.0, 3.1 and 3.2 can be read.");
});

test("what OpenAPI 3 cannot express is a warning at its place", async () => {
  const rest = `schemes: [wss]
paths:
  /a:
    parameters:
      - {name: a, in: query, type: array, items: {type: string}, collectionFormat: tsv}
      - {name: b, in: query, type: array, items: {type: array, items: {type: string}, collectionFormat: csv}}
      - {name: c, in: query, type: array, items: {type: string}, collectionFormat: pipes}
    get:
      responses:
        '200':
          description: A
          headers: {A: {type: array, items: {type: string}, collectionFormat: ssv}}
          schema: {type: object, example: {collectionFormat: tsv}, properties: {collectionFormat: {type: string}}}
`;
  expect(await lines(swagger(rest), "minimal")).toEqual([
    start,
    "warning description/converted 4:1 /schemes",
    "warning description/converted 8:66 /paths/~1a/parameters/0/collectionFormat",
    "warning description/converted 9:87 /paths/~1a/parameters/1/items/collectionFormat",
    "warning description/converted 15:61 /paths/~1a/get/responses/200/headers/A/collectionFormat",
  ]);
});

test("problems of the converted description have the places of the original", async () => {
  const rest = `paths:
  /a:
    post:
      parameters:
        - {name: body, in: body, schema: {$ref: '#/definitions/A'}}
        - {name: b, in: query, type: stringg}
      responses: {'200': {description: A, schema: {type: objectt}, headers: {A: {type: textt}}}}
definitions: {A: {type: objectt}}
responses: {B: {description: B, schema: {type: objectt}}}
`;
  expect(await lines(swagger(rest), "minimal")).toEqual([
    start,
    "warning openapi/struct 9:32 /paths/~1a/post/parameters/1/type",
    "warning openapi/struct 10:52 /paths/~1a/post/responses/200/schema/type",
    "warning openapi/struct 10:82 /paths/~1a/post/responses/200/headers/A/type",
    "warning openapi/struct 11:19 /definitions/A/type",
    "warning openapi/struct 12:42 /responses/B/schema/type",
  ]);
});

test.each([
  ["/openapi", "/swagger"],
  ["/servers/0/url", "/host"],
  ["/info/title", "/info/title"],
  ["/components/securitySchemes/a/flows", "/securityDefinitions/a/flows"],
  ["/components/parameters/a/schema/type", "/parameters/a/type"],
  ["/components/requestBodies/a/content", "/parameters/a/content"],
  ["/components/responses/a/content/text~1a/schema/type", "/responses/a/schema/type"],
  ["/paths/~1a/get/requestBody/content", "/paths/~1a/get/parameters"],
  ["/paths/~1a/get/parameters/7", "/paths/~1a/get/parameters"],
  ["/paths/~1a/get/responses/200/description", "/paths/~1a/get/responses/200/description"],
])("%s of the converted description is %s", (converted, original) => {
  const split = (pointer: string): readonly string[] =>
    pointer
      .split("/")
      .slice(1)
      .map((token) => token.replaceAll("~1", "/"));
  expect(swaggerTokens(split(converted), { host: "notes.example" }, {})).toEqual(split(original));
});

test("a description that the library cannot convert is an error with its reason", async () => {
  const diagnostics = await lintFixture(
    swagger("paths: {/a: {get: {parameters: [null], responses: {}}}}\n"),
    "minimal",
  );
  expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    [
      "description/version",
      "error",
      expect.stringMatching(/^This is Swagger 2\.0, which @scalar\/openapi-upgrader cannot convert: .+\.$/),
    ],
  ]);
});

test("a model has what Swagger says", async () => {
  const rest = `basePath: /v1
paths:
  /a:
    post:
      operationId: a
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - {name: b, in: query, type: array, items: {type: string}, collectionFormat: pipes}
        - {name: c, in: formData, type: string}
      responses: {'200': {description: A, schema: {$ref: '#/definitions/A'}}}
definitions: {A: {type: object, properties: {d: {type: string, x-nullable: true}}}}
`;
  const { api } = await buildForeignFixture(swagger(rest));
  const [operation] = api.operations;
  expect(api.servers).toEqual([{ url: "http://notes.example/v1" }]);
  expect(operation?.parameters.map(({ name, style, explode }) => [name, style, explode])).toEqual([
    ["b", "pipeDelimited", false],
  ]);
  expect(operation?.requestBody?.contents.map(({ mediaType }) => mediaType)).toEqual([
    "application/x-www-form-urlencoded",
  ]);
  expect(operation?.responses[0]?.contents.map(({ mediaType, schema }) => [mediaType, schema.ref])).toEqual([
    ["application/json", "A"],
  ]);
});
