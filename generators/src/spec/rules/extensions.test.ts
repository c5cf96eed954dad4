import { describe, expect, test } from "vitest";
import { lintTexts, description, messagesOf } from "../testing.support.js";

describe("a grant that operations share", () => {
  const shared = (grant: string) => ({
    "openapi.yaml": description({ operation: "x-grants: [{$ref: 'grants.yaml#/Adding'}]" }),
    "grants.yaml": `Adding: ${grant}`,
  });

  test("is checked where it is named", async () => {
    expect(await lintTexts(shared("{global: add_notes}"))).toEqual([]);
    const [problem, ...more] = await lintTexts(shared("{global: add_notes, levle: read_only}"));
    expect(problem).toMatchObject({ code: "extension/shape", origin: { file: "openapi.yaml" } });
    expect(more).toEqual([]);
  });

  test("has to be there", async () => {
    expect(await lintTexts(description({ operation: "x-grants: [{$ref: 'none.yaml#/Adding'}]" }))).not.toEqual([]);
  });
});

describe("extension/unknown", () => {
  test("names the extension that was meant", async () => {
    const [problem] = await lintTexts(description({ operation: "x-limts: []" }));
    expect(problem).toMatchObject({
      code: "extension/unknown",
      message: '"x-limts" is not an extension field of the vocabulary.',
      fix: 'Did you mean "x-limits"?',
    });
  });

  test("lists the vocabulary when nothing is near, and lets a property be called x-something", async () => {
    const [problem, ...more] = await lintTexts(
      description({ operation: "x-vendor: 1", properties: "x-coordinate: {type: integer}" }),
    );
    expect(problem?.fix).toMatch(/^The vocabulary has x-scopes, /);
    expect(more).toEqual([]);
  });

  test("sees what stands beside a reference", async () => {
    expect(
      await messagesOf("extension/unknown", {
        properties: "other: {$ref: '#/components/schemas/Note', x-refrence: {to: Note}}",
      }),
    ).toHaveLength(1);
  });
});

describe("extension/shape", () => {
  test("reports a key and a type at their locations", async () => {
    const problems = await lintTexts(
      description({ operation: "x-limits:\n  - {id: creates, kind: rate, max: ten, window: PT30S, brust: 20}" }),
    );
    expect(problems.map(({ origin, message }) => `${origin.line}:${origin.column} ${message}`)).toEqual([
      "13:37 x-limits: This is a string; an integer is expected.",
      '13:62 x-limits: "brust" is not a key of a limit.',
    ]);
  });

  test("is content with x-source on any object inside", async () => {
    const operation = "x-limits:\n  - {id: creates, kind: rate, max: 10, window: PT30S, x-source: [note.rate]}";
    expect(await lintTexts(description({ operation }))).toEqual([]);
  });
});

describe("extension/place", () => {
  test("grants are of operations", async () => {
    expect(await messagesOf("extension/place", { note: "x-grants: [{global: add_notes}]" })).toEqual([
      "x-grants means nothing on a schema.",
    ]);
    expect(await messagesOf("extension/place", { operation: "x-grants: [{global: add_notes}]" })).toEqual([]);
  });

  test("a name may stand anywhere", async () => {
    expect(await lintTexts(description({ operation: "x-name: makeNote", note: "x-name: Remark" }))).toEqual([]);
  });

  test("the two forms of x-input have a place each", async () => {
    expect(await messagesOf("extension/place", { root: "x-input: {segments: 2}" })).toEqual([
      "This form of x-input means nothing on the root.",
    ]);
    expect(await messagesOf("extension/place", { root: "x-input: {absent: keep}" })).toEqual([]);
    expect(await messagesOf("extension/place", { root: "x-input: {encodedSlash: true}" })).toEqual([
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
    const found = await messagesOf("extension/place", { paths, schemas: "Label: {type: string, maxLength: 9}" });
    expect(found).toEqual(message === undefined ? [] : [message]);
  });

  test("an encoded slash and several segments exclude each other", async () => {
    const parameters = "[{name: id, in: path, required: true, x-input: {segments: 2, encodedSlash: true}, schema: {}}]";
    const paths = `/things/{id}: {get: {parameters: ${parameters}, responses: {'200': {description: It.}}}}`;
    expect(await messagesOf("extension/shape", { paths })).toHaveLength(1);
  });

  test("the two forms of x-scopes have a place each", async () => {
    const components =
      "securitySchemes:\n  bearer: {type: http, scheme: bearer, x-scopes: {atMost: $caller.scopes, error: too-wide}}";
    expect(await messagesOf("extension/place", { components })).toEqual([
      "This form of x-scopes means nothing on a security scheme.",
    ]);
  });
});
