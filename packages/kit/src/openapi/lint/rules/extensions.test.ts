import { describe, expect, test } from "vitest";
import { lintFixture, buildDescription, lintMessages } from "../lint-fixture.support.js";

describe("a grant that operations share", () => {
  const shared = (grant: string) => ({
    "openapi.yaml": buildDescription({ operation: "x-grants: [{$ref: 'grants.yaml#/Adding'}]" }),
    "grants.yaml": `Adding: ${grant}`,
  });

  test("is checked where it is named", async () => {
    expect(await lintFixture(shared("{grant: add_notes}"))).toEqual([]);
    const [diagnostic, ...more] = await lintFixture(shared("{grant: add_notes, levle: read_only}"));
    expect(diagnostic).toMatchObject({ code: "extension/schema", origin: { file: "openapi.yaml" } });
    expect(more).toEqual([]);
  });

  test("has to be there", async () => {
    expect(await lintFixture(buildDescription({ operation: "x-grants: [{$ref: 'none.yaml#/Adding'}]" }))).not.toEqual(
      [],
    );
  });
});

describe("extension/unknown", () => {
  test("names the extension that was meant", async () => {
    const [diagnostic] = await lintFixture(buildDescription({ operation: "x-limts: []" }));
    expect(diagnostic).toMatchObject({
      code: "extension/unknown",
      message: '"x-limts" is not an extension field of the vocabulary.',
      fix: 'Did you mean "x-limits"?',
    });
  });

  test("allows the custom keywords of plumbline.yaml in schemas, and nowhere else", async () => {
    const used = buildDescription({ operation: "x-limt: 1", properties: "card: {type: string, x-limt: 1}" });
    const codes = (await lintFixture(used, "strict", ["x-limt"])).map(({ code, origin }) => [code, origin.pointer]);
    expect(codes).toEqual([["extension/unknown", "/paths/~1notes/post/x-limt"]]);
    expect(await lintFixture(used)).toHaveLength(2);
  });

  test("lists the vocabulary when nothing is near, and lets a property be called x-something", async () => {
    const [diagnostic, ...more] = await lintFixture(
      buildDescription({ operation: "x-vendor: 1", properties: "x-coordinate: {type: integer}" }),
    );
    expect(diagnostic?.fix).toMatch(/^The vocabulary has x-scopes, /);
    expect(more).toEqual([]);
  });

  test("reports a name of the vocabulary with the form of another vendor once, in descriptions of others", async () => {
    const operation = "x-lists: {type: linked}\nx-limits: {requests: 10}\nx-errors: [E1]";
    const properties =
      "a: {type: string, x-visibility: LIMITED, x-resourceId: id}\nb: {type: string, x-visibility: PUBLIC}";
    const text = buildDescription({ operation, properties });
    const found = await lintFixture(text, "minimal");
    expect(found.map(({ code, severity, message }) => `${severity} ${code} ${message.split('"')[1] ?? ""}`)).toEqual(
      ["x-lists", "x-limits", "x-errors", "x-visibility"].map((name) => `warning extension/unknown ${name}`),
    );
    expect((await lintFixture(text)).filter(({ code }) => code === "extension/schema").length).toBeGreaterThan(4);
  });

  test("sees what stands beside a reference", async () => {
    expect(
      await lintMessages("extension/unknown", {
        properties: "other: {$ref: '#/components/schemas/Note', x-refrence: {to: Note}}",
      }),
    ).toHaveLength(1);
  });
});

describe("extension/schema", () => {
  test("reports a key and a type at their locations", async () => {
    const diagnostics = await lintFixture(
      buildDescription({ operation: "x-limits:\n  - {id: creates, kind: rate, max: ten, window: PT30S, brust: 20}" }),
    );
    expect(diagnostics.map(({ origin, message }) => `${origin.line}:${origin.column} ${message}`)).toEqual([
      "13:37 x-limits: This is a string; an integer is expected.",
      '13:62 x-limits: "brust" is not a key of a limit.',
    ]);
  });

  test("is content with x-source on any object inside", async () => {
    const operation = "x-limits:\n  - {id: creates, kind: rate, max: 10, window: PT30S, x-source: [note.rate]}";
    expect(await lintFixture(buildDescription({ operation }))).toEqual([]);
  });
});

describe("extension/misplaced", () => {
  test("grants are of operations", async () => {
    expect(await lintMessages("extension/misplaced", { note: "x-grants: [{grant: add_notes}]" })).toEqual([
      "x-grants means nothing on a schema.",
    ]);
    expect(await lintMessages("extension/misplaced", { operation: "x-grants: [{grant: add_notes}]" })).toEqual([]);
  });

  test("a name may stand anywhere", async () => {
    expect(await lintFixture(buildDescription({ operation: "x-name: makeNote", note: "x-name: Remark" }))).toEqual([]);
  });

  test("the two forms of x-input have a place each", async () => {
    expect(await lintMessages("extension/misplaced", { root: "x-input: {segments: 2}" })).toEqual([
      "This form of x-input means nothing on the root.",
    ]);
    expect(await lintMessages("extension/misplaced", { root: "x-input: {absent: keep}" })).toEqual([]);
    expect(await lintMessages("extension/misplaced", { root: "x-input: {encodedSlash: true}" })).toEqual([
      "This form of x-input means nothing on the root.",
    ]);
  });

  test.each([
    ["/things/{id}", "in: path, schema: {type: string}", undefined],
    ["/things/{id}", "in: path, schema: {$ref: '#/components/schemas/Label'}", undefined],
    ["/things/{id}", "in: path, schema: {type: [integer, string]}", undefined],
    ["/things/{id}", "in: path, schema: {type: integer}", "`encodedSlash` is not for this type or style."],
    ["/things/{id}", "in: path, style: label, schema: {}", "`encodedSlash` is not for this type or style."],
    ["/things/{id}.json", "in: path, schema: {}", "`encodedSlash` has no effect in /things/{id}.json."],
    ["/things", "in: query, schema: {type: string}", "This form of x-input means nothing outside of paths."],
  ])("an encoded slash in %s with %s", async (path, parameter, message) => {
    const parameters = `[{name: id, ${parameter.startsWith("in: path") ? "required: true, " : ""}x-input: {encodedSlash: true}, ${parameter}}]`;
    const paths = `${path}: {get: {parameters: ${parameters}, responses: {'200': {description: It.}}}}`;
    const found = await lintMessages("extension/misplaced", { paths, schemas: "Label: {type: string, maxLength: 9}" });
    expect(found).toEqual(message === undefined ? [] : [message]);
  });

  test("an encoded slash and several segments exclude each other", async () => {
    const parameters = "[{name: id, in: path, required: true, x-input: {segments: 2, encodedSlash: true}, schema: {}}]";
    const paths = `/things/{id}: {get: {parameters: ${parameters}, responses: {'200': {description: It.}}}}`;
    expect(await lintMessages("extension/schema", { paths })).toHaveLength(1);
  });

  test("the two forms of x-scopes have a place each", async () => {
    const components =
      "securitySchemes:\n  bearer: {type: http, scheme: bearer, x-scopes: {atMost: $caller.scopes, error: too-wide}}";
    expect(await lintMessages("extension/misplaced", { components })).toEqual([
      "This form of x-scopes means nothing on a security scheme.",
    ]);
  });
});
