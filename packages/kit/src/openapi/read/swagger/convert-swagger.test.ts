import { expect, test } from "vitest";
import { lintFixture } from "../../lint/lint-fixture.support.js";
import { buildFixtureApi, buildForeignFixture } from "../../testing.js";
import { swaggerTokens } from "./places.js";

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
      - {name: d, in: header, type: array, items: {type: string}, collectionFormat: pipes}
    put:
      consumes: [multipart/form-data]
      parameters: [{name: e, in: formData, type: array, items: {type: string}, collectionFormat: ssv}]
      responses: {'204': {description: A}}
    post:
      parameters:
        - {name: f, in: body, schema: {type: string}}
        - {name: g, in: body, schema: {type: string}}
        - {name: h, in: formData, type: string}
      responses: {'204': {description: A}}
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
    "warning description/converted 11:67 /paths/~1a/parameters/3/collectionFormat",
    "warning description/converted 14:80 /paths/~1a/put/parameters/0/collectionFormat",
    "warning description/converted 19:11 /paths/~1a/post/parameters/1",
    "warning description/converted 20:11 /paths/~1a/post/parameters/2",
    "warning description/converted 26:61 /paths/~1a/get/responses/200/headers/A/collectionFormat",
  ]);
});

test("what other files have is lost, but for their schemas", async () => {
  const rest = `paths:
  /a:
    get:
      parameters: [{$ref: 'other.yaml#/P'}]
      responses: {'200': {$ref: 'other.yaml#/R'}, '201': {description: A, schema: {$ref: 'other.yaml#/S'}}}
  /b: {$ref: 'other.yaml#/I'}
`;
  const other = `P: {name: p, in: query, type: string}
R: {description: R}
S: {type: object, properties: {parameters: {$ref: '#/S'}}}
I: {get: {responses: {'200': {description: I}}}}
`;
  const diagnostics = await lintFixture({ "openapi.yaml": swagger(rest), "other.yaml": other }, "minimal");
  const losses = diagnostics.filter(
    ({ code, message }) => code === "description/converted" && message.startsWith("What other"),
  );
  expect(losses.map(({ origin: { pointer } }) => pointer)).toEqual([
    "/paths/~1a/get/parameters/0",
    "/paths/~1a/get/responses/200",
    "/paths/~1b",
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

test("what is not as Swagger requires is reported at its place", async () => {
  const rest = `parameters: {P: {name: p, in: body, schema: {type: objectt}}}
responses: {R: {description: R, schema: {type: objectt}}}
paths:
  /a:
    parameters: [{name: q, in: formData, type: textt}]
    get: {parameters: [null], produces: [text/plain], responses: {'200': {$ref: '#/responses/R'}}}
    put: {parameters: [{$ref: '#/parameters/P'}], responses: {'204': {description: A}}}
    post: {parameters: 7, responses: {'204': {description: A}}}
  /b: 7
`;
  expect(await lines(swagger(rest), "minimal")).toEqual([
    start,
    "warning openapi/struct 4:46 /parameters/P/schema/type",
    "warning openapi/struct 5:42 /responses/R/schema/type",
    "warning description/converted 8:18 /paths/~1a/parameters/0",
    "warning openapi/struct 8:42 /paths/~1a/parameters/0/type",
    "warning openapi/struct 9:24 /paths/~1a/get/parameters/0",
    "warning openapi/struct 11:12 /paths/~1a/post/parameters",
    "warning openapi/struct 12:3 /paths/~1b",
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

test("bodies and forms that are shared, or stand in the path, belong to each operation", async () => {
  const rest = `consumes: [application/json]
produces: [application/json]
parameters:
  Payload: {name: body, in: body, required: true, schema: {$ref: '#/definitions/A'}}
  Comment: {name: comment, in: formData, required: true, type: string, maxLength: 5}
paths:
  /a:
    patch: {operationId: a, parameters: [{$ref: '#/parameters/Payload'}], responses: {'200': {$ref: '#/responses/R'}}}
  /b:
    parameters: [{name: tags, in: formData, type: array, items: {type: integer}}, {$ref: '#/parameters/Comment'}]
    post:
      operationId: b
      consumes: [application/x-www-form-urlencoded]
      produces: [text/csv]
      responses: {'200': {$ref: '#/responses/R'}}
  /c:
    put: {operationId: c, responses: {'204': {description: C}}}
    parameters: [{$ref: '#/parameters/Payload'}]
definitions: {A: {type: object, properties: {b: {type: integer}}}}
responses: {R: {description: R, schema: {type: string}}}
`;
  const { api } = await buildForeignFixture(swagger(rest));
  const bodies = api.operations.map(({ parameters, requestBody, responses }) => [
    parameters.length,
    requestBody?.required,
    requestBody?.contents.map(({ mediaType, schema, encoding }) => [
      mediaType,
      schema.ref ?? schema.properties?.map(({ name }) => name),
      encoding,
    ]),
    responses.flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType)),
  ]);
  const form = ["application/x-www-form-urlencoded", ["tags", "comment"], { tags: { style: "form", explode: false } }];
  expect(bodies).toEqual([
    [0, true, [["application/json", "A", {}]], ["application/json"]],
    [0, true, [form], ["text/csv"]],
    [0, true, [["application/json", "A", {}]], []],
  ]);
});
