import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { diagnosticCodes } from "./codes.js";
import { disabledRedoclyRules } from "./redocly/disabled-rules.js";
import { buildDescription, lintFixtureLines, lintFixture } from "./lint-fixture.support.js";

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
    "28:9 openapi/no-unresolved-refs Can't resolve $ref.",
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
  const said = "Can't resolve $ref: it is not a relative path; save the file beside the description.";
  expect(lines.filter((line) => line.endsWith(`openapi/no-unresolved-refs ${said}`))).toHaveLength(2);
});

test("a syntax error in a referenced file is reported at its location", async () => {
  const root = buildDescription({ properties: "author: {$ref: 'people.yaml#/Author'}" });
  const lines = await lintFixtureLines({ "openapi.yaml": root, "people.yaml": "Author: {type: object\n" });
  expect(lines.some((each) => each.includes("openapi/no-unresolved-refs"))).toBe(true);
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

  test("still has to have references that lead somewhere; the model names operations that share an operationId", async () => {
    const text = buildDescription({
      properties: "author: {$ref: '#/components/schemas/Author'}",
      paths: "/more:\n  get:\n    operationId: createNote\n    responses: {'200': {description: More}}",
    });
    expect(
      (await lintFixture(text, "minimal")).filter((each) => each.severity === "error").map((each) => each.code),
    ).toEqual(["openapi/no-unresolved-refs"]);
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
