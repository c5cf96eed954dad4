import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../model/index.js";
import { diagnosticCodes } from "./codes.js";
import { buildDescription, lintFixtureLines, lintFixture } from "./lint-fixture.support.js";
import { disabledRedoclyRules } from "./redocly/disabled-rules.js";

test("a description without problems has none", async () => {
  expect(await lintFixture(buildDescription({}))).toEqual([]);
});

test("all problems are reported at once, by file, line and column", async () => {
  const root = buildDescription({
    operation: "x-limts: []\nx-limits: [{id: creates, kind: rate, max: 1, window: 30}]",
    properties: "author: {$ref: 'people/schemas.yaml#/Author'}\ntitle: {$ref: '#/components/schemas/Title'}",
  });
  const people = "Author:\n  type: object\n  properties:\n    name: {type: string, format: email}\n  x-nmae: Writer\n";
  expect(await lintFixtureLines({ "openapi.yaml": root, "people/schemas.yaml": people })).toEqual([
    '12:7 extension/unknown "x-limts" is not an extension field of the vocabulary.',
    '13:52 limits/unit "30" has no unit.',
    '28:9 openapi/no-unresolved-refs The reference "#/components/schemas/Title" names nothing: there is no "Title".',
    "people/schemas.yaml:4:26 patterns/unbounded This string has a format and no maxLength.",
    'people/schemas.yaml:5:3 extension/unknown "x-nmae" is not an extension field of the vocabulary.',
  ]);
});

test("a problem says where it is, how bad it is, and what to write instead", async () => {
  expect(
    await lintFixture(buildDescription({ operation: "x-limits: [{id: creates, kind: rate, max: 1, window: '30'}]" })),
  ).toEqual([
    {
      code: "limits/unit",
      severity: "error",
      origin: { file: "openapi.yaml", pointer: "/paths/~1notes/post/x-limits/0/window", line: 12, column: 52 },
      message: '"30" has no unit.',
      fix: "Write an ISO 8601 duration, such as PT30S.",
    },
  ]);
});

test.each([
  ["{type: sting}", "openapi/struct", /`type` can be one of/],
  ["{type: string, maxLength: '3'}", "openapi/struct", /Expected type `integer`/],
  ["{type: string, maxLength: 3, pattern: '('}", "patterns/syntax", /not a valid regular expression/],
  ["{type: object, patternProperties: {'(': {}}}", "patterns/syntax", /not a valid regular expression/],
])("an example of %s repeats no other finding", async (schema, code, message) => {
  const text = buildDescription({ properties: `a: ${schema}`, note: "example: {a: x}" });
  expect(await lintFixture(text)).toEqual([
    expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
  ]);
});

test("an example says itself why it is not validated where no other finding says it", async () => {
  const lines = await lintFixtureLines(buildDescription({ note: "$id: 'a b:c'\nexample: {text: x}" }));
  expect(lines.filter((line) => line.includes(" openapi/"))).toEqual([
    expect.stringMatching(/no-invalid-schema-examples Example validation errored: URI scheme is malformed/),
  ]);
});

test("the same description gives the same problems in the same order", async () => {
  const text = buildDescription({ operation: "x-limts: []\nx-erors: []\nx-limits: [{id: A, kind: rates}]" });
  const first = await lintFixtureLines(text);
  expect(first.length).toBeGreaterThan(3);
  expect(await lintFixtureLines(text)).toEqual(first);
});

test.each([
  ["swagger: '1.2'", "This is Swagger 1.2; OpenAPI 3.0, 3.1 and 3.2 can be read."],
  ["openapi: 4.0.0", 'This is OpenAPI "4.0.0"; 3.0, 3.1 and 3.2 can be read.'],
  ["openapi: 3.1", "This is OpenAPI 3.1; 3.0, 3.1 and 3.2 can be read."],
  ["info: {}", "This does not say which OpenAPI it is."],
  ["", "This does not say which OpenAPI it is."],
  ["[openapi]", "This does not say which OpenAPI it is."],
])("%j is not a supported version", async (text, message) => {
  expect(await lintFixtureLines(text)).toEqual([`1:1 description/version ${message}`]);
});

test("nothing is fetched, whatever names it", async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.yaml`;
  const content = `{application/json: {examples: {a: {externalValue: '${url}'}}}}`;
  const lines = await lintFixtureLines(
    buildDescription({
      properties: `a: {$ref: '${url}'}\nb: {oneOf: [{$ref: '${url}#/b'}], discriminator: {propertyName: b, mapping: {b: '${url}'}}}`,
      paths: `/more: {get: {operationId: more, summary: More, tags: [notes], responses: {'200': {description: ok, content: ${content}}, '400': {description: no}}}}`,
    }),
  );
  await new Promise((resolve) => server.close(resolve));
  expect(asked).toBe(0);
  const said = /openapi\/no-unresolved-refs The reference "http.* names something outside this machine\.$/;
  expect(lines.filter((line) => said.test(line))).toHaveLength(2);
});

test("a syntax error in a referenced file is reported once, at its location", async () => {
  const root = buildDescription({
    properties: "author: {$ref: 'people.yaml#/Author'}\neditor: {$ref: 'people.yaml#/E'}",
  });
  expect(await lintFixtureLines({ "openapi.yaml": root, "people.yaml": "Author: {type: object\n" })).toEqual([
    '25:9 openapi/no-unresolved-refs The reference "people.yaml#/Author" names a file that cannot be read.',
    '26:9 openapi/no-unresolved-refs The reference "people.yaml#/E" names a file that cannot be read.',
    "people.yaml:2:1 description/syntax This is not valid YAML or JSON: unexpected end of the stream within a flow collection.",
  ]);
});

test("a converted description quotes its references as they are written", async () => {
  const text = `swagger: '2.0'
info: {title: Notes, version: '1'}
paths: {/a: {get: {responses: {'200': {description: ok, schema: {$ref: '#/definitions/A'}}, '201': {$ref: '#/responses/B'}}}}}
`;
  expect((await lintFixtureLines(text, "minimal")).slice(1)).toEqual([
    '3:57 openapi/no-unresolved-refs The reference "#/definitions/A" names nothing.',
    '3:93 openapi/no-unresolved-refs The reference "#/responses/B" names nothing.',
  ]);
});

test("an anchor of several responses is checked once, and located in its text", async () => {
  const root = buildDescription({ paths: "/more: {$ref: 'paths.yaml#/more'}" });
  const paths = `x-headers: &headers
  X-Request-Id: {schema: {type: string, format: uuid}}
more:
  get:
    operationId: more
    summary: More
    tags: [notes]
    responses:
      '200': {description: More, headers: *headers}
      '202': {description: Still more, headers: *headers}
      '400': {description: Less}
`;
  expect(await lintFixtureLines({ "openapi.yaml": root, "paths.yaml": paths })).toEqual([
    "paths.yaml:2:41 patterns/unbounded This string has a format and no maxLength.",
  ]);
});

describe("a third-party description", () => {
  test("has no errors that only its owner can fix", async () => {
    const theirs = `openapi: 3.0.3
info: {title: Theirs, version: '1'}
paths:
  /things:
    get:
      x-codegen-group: things
      responses:
        default: {description: Anything, content: {application/json: {schema: {type: string, format: email, pattern: '^.+$'}}}}
`;
    expect((await lintFixture(theirs, "minimal")).filter((each) => each.severity === "error")).toEqual([]);
  });

  test("is warned of an extension that is nearly one of ours, and of no other", async () => {
    const text = buildDescription({ operation: "x-limts: []\nx-vendor-limits: []" });
    const diagnostics = await lintFixture(text, "minimal");
    expect(diagnostics.map(({ code, severity, fix }) => ({ code, severity, fix }))).toEqual([
      { code: "extension/unknown", severity: "warning", fix: 'Did you mean "x-limits"?' },
    ]);
  });

  test("is warned of names that a field of the vocabulary states and nothing declares", async () => {
    const text = buildDescription({
      operation: "x-grants: [{caller: {role: [admin]}}]\nx-errors: [{id: odd, status: 400, field: txet}]",
      note: "x-resource: {owner: [clinc], list: listNotes}",
      properties: "owner: {type: integer, x-reference: {to: Owner}}",
    });
    const diagnostics = await lintFixture(text, "minimal");
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`).toSorted()).toEqual([
      "warning callers/attribute",
      "warning callers/owner",
      "warning errors/field",
      "warning operations/unknown",
      "warning references/unknown",
    ]);
  });

  test("may have unknown keywords and values of the wrong type, which are reported as warnings", async () => {
    const text = buildDescription({
      properties: "title: {type: string, nullable: true}\nstars: {type: integer, minimum: none}",
    });
    expect((await lintFixture(text, "minimal")).map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      "warning Property `nullable` is not expected here.",
      "warning Expected type `number` but got `string`.",
    ]);
  });

  test.each(["paths: 5", "paths: {}\ncomponents: []", "paths: {}\nopenapi: 3", "x-none: 1"])(
    "has to be one of which something can be made: %s",
    async (rest) => {
      const text = `${rest.includes("openapi") ? "" : "openapi: 3.1.0\n"}info: {title: A, version: '1'}\n${rest}\n`;
      expect((await lintFixture(text, "minimal")).map(({ severity }) => severity)).toContain("error");
    },
  );

  test("may have extensions that Redocly knows, in forms that it does not", async () => {
    expect(await lintFixture(buildDescription({ operation: "x-code-samples: [{language: curl}]" }), "minimal")).toEqual(
      [],
    );
  });

  test("may lack schemas, examples, headers and links that it refers to, and nothing else", async () => {
    const text = `openapi: 3.0.3
info: {title: Theirs, version: '1'}
paths:
  /a:
    post:
      parameters: [{$ref: '#/components/parameters/P'}, {$ref: '#/components/schemas/S'}]
      requestBody: {$ref: '#/components/requestBodies/B'}
      responses:
        '200': {$ref: '#/components/responses/R'}
        '201': {description: A, headers: {h: {$ref: '#/components/headers/H'}}, links: {l: {$ref: '#/components/links/L'}}}
        default: {description: A, content: {application/json: {schema: {$ref: '#/definitions/S'}, examples: {e: {$ref: '#/components/examples/E'}}}}}
components:
  schemas:
    Pet: {oneOf: [{$ref: '#/components/schemas/Pet/Cat'}, {$ref: 'absent.yaml#/components/schemas/Dog'}], discriminator: {propertyName: p, mapping: {a: Dog, b: dog.yaml}}}
`;
    const diagnostics = await lintFixture(text, "minimal");
    const how = {
      left: "It is left out",
      read: "It is read as a schema that all values match",
      value: "Its value selects nothing",
    };
    const line = ({ severity, message, fix, origin }: Diagnostic): string =>
      `${origin.line} ${severity} ${/"(.*?)"/.exec(message)?.[1]} ${Object.values(how).find((each) => fix?.startsWith(each)) ?? ""}`;
    expect(diagnostics.map(line)).toEqual([
      "6 error #/components/parameters/P ",
      "6 error #/components/schemas/S ",
      "7 error #/components/requestBodies/B ",
      "9 error #/components/responses/R ",
      `10 warning #/components/headers/H ${how.left}`,
      `10 warning #/components/links/L ${how.left}`,
      `11 warning #/definitions/S ${how.read}`,
      `11 warning #/components/examples/E ${how.left}`,
      `14 warning #/components/schemas/Pet/Cat ${how.read}`,
      "14 error absent.yaml#/components/schemas/Dog ",
      `14 warning Dog ${how.value}`,
      "14 error dog.yaml ",
    ]);
  });

  test("may share an operationId, which the model replaces", async () => {
    const paths = "/more:\n  get:\n    operationId: createNote\n    responses: {'200': {description: More}}";
    const diagnostics = await lintFixture(buildDescription({ paths }), "minimal");
    expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  });
});

test("every rule that Redocly recommends is on, or off with a reason", async () => {
  const { default: recommended } = (await import(
    String(new URL("config/recommended.js", import.meta.resolve("@redocly/openapi-core")))
  )) as {
    default: Record<string, Record<string, unknown>>;
  };
  const wanted = ["rules", "oas3_0Rules", "oas3_1Rules"]
    .flatMap((set) => Object.entries(recommended[set] ?? {}))
    .flatMap(([rule, level]) => (level === "off" ? [] : [rule]));
  expect(wanted.length).toBeGreaterThan(30);
  const decided = new Set([
    ...Object.keys(diagnosticCodes).map((code) => code.replace("openapi/", "")),
    ...Object.keys(disabledRedoclyRules),
  ]);
  expect(wanted.filter((rule) => !decided.has(rule))).toEqual([]);
  expect(Object.keys(disabledRedoclyRules).filter((rule) => !wanted.includes(rule))).toEqual([]);
});

test("a key that every object inherits hides no other problem", async () => {
  const text = buildDescription({ root: "hasOwnProperty: 1", operation: "hasOwnProperty: 1\nsumary: Create" });
  expect(await lintFixtureLines(text)).toEqual([
    "6:1 openapi/struct Property `hasOwnProperty` is not expected here.",
    "13:7 openapi/struct Property `hasOwnProperty` is not expected here.",
    "14:7 openapi/struct Property `sumary` is not expected here.",
  ]);
});

test("true and false are schemas from 3.1 on, wherever a schema may be", async () => {
  const schema =
    "{allOf: [true], anyOf: [true, false], not: false, if: true, then: true, contains: true, prefixItems: [true]}";
  const inVersion = (version: string): string =>
    `openapi: ${version}\ninfo: {title: Yes, version: '1'}\npaths: {}\ncomponents: {schemas: {Yes: true, A: ${schema}}}\n`;
  expect(await lintFixtureLines(inVersion("3.1.0"), "minimal")).toEqual([]);
  expect(await lintFixtureLines(inVersion("3.0.3"), "minimal")).toContain(
    "4:24 openapi/struct Expected type `Schema` (object) but got `boolean`.",
  );
});

test("the minimal ruleset validates examples if it is asked to", async () => {
  const text = `openapi: 3.0.3
info: {title: Examples, version: '1'}
paths: {}
components:
  schemas:
    A: {type: string, maxLength: 2, example: long}
    B: {allOf: [{$ref: '#/components/schemas/A'}], nullable: true, example: long}
`;
  expect(await lintFixtureLines(text, "minimal")).toEqual([
    "7:52 openapi/nullable-type-sibling The `type` field must be defined when the `nullable` field is used.",
  ]);
  const diagnostics = await lintFixture(text, { ruleset: "minimal", examples: true });
  expect(diagnostics.map(({ code, severity, origin: { line } }) => [code, severity, line])).toEqual([
    ["openapi/no-invalid-schema-examples", "warning", 6],
    ["openapi/nullable-type-sibling", "warning", 7],
  ]);
});

test("no rule of Redocly reads what does not conform to OpenAPI", async () => {
  expect(await lintFixtureLines(buildDescription({ properties: "owner: null" }))).toEqual([
    "25:9 openapi/struct Expected type `Schema` (object) but got `null`.",
  ]);
});
