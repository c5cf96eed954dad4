import { expect, test } from "vitest";
import { asChangeset } from "../changeset.js";
import { asMarkdown } from "../difference-markdown.js";
import { asText, type Told } from "../difference-report.js";
import { withPaths } from "../model/testing.support.js";
import { described, differencesOf, replyOf } from "./testing.support.js";

/** Twelve operations with a limit each; by a reference, or written out. */
function limited(max: number, isReference: boolean): Readonly<Record<string, string>> {
  const limit = (each: number): string => `{id: general, kind: rate, max: ${each}, window: PT1M}`;
  const paths = Array.from({ length: 12 }, (_, index) => {
    const limits = isReference ? "{$ref: 'limits.yaml#/all'}" : `[${limit(max)}]`;
    return `/a${index}: {get: {operationId: get${index}, x-limits: ${limits}, responses: {'200': {description: ok}}}}`;
  });
  return { "openapi.yaml": withPaths(paths.join("\n")), "limits.yaml": `all: [${limit(max)}]\n` };
}

test.each([true, false])(
  "the limit of an API is one difference, even for many operations (by reference: %s)",
  async (isReference) => {
    const found = await differencesOf(limited(10, isReference), limited(5, isReference));
    expect(found.map(({ code, says, where }) => [code, says, where.operations.length])).toEqual([
      [
        "limit-tightened",
        "A limit of each of 12 operations is tighter: general (rate) at most 5 in PT1M instead of general (rate) at most 10 in PT1M.",
        12,
      ],
    ]);
    const reported = found.map((each): Told => ({ ...each, origin: { ...each.origin, line: 1, column: 1 } }));
    const outcome = {
      differences: reported,
      packages: [{ name: "@a/client", kind: "client", bump: "minor" as const }],
    };
    for (const text of [asText(outcome), asMarkdown(outcome), asChangeset(outcome)])
      expect(text.split("\n").filter((line) => line.includes("PT1M"))).toHaveLength(1);
    expect(asText(outcome)).toContain("(GET /a0, GET /a1, GET /a2 and 9 more)");
  },
);

test("a limit of one operation names the operation", async () => {
  const limit = (max: number): string => `x-limits: [{id: one, kind: rate, max: ${max}, window: PT1M}]`;
  const [one] = await differencesOf(described({ operation: limit(2) }), described({ operation: limit(3) }));
  expect(one?.says).toMatch(/^A limit of POST \/notes is looser: /);
});

test.each([
  [
    "a field",
    replyOf("properties: {name: {type: string}, id: {type: integer}}"),
    replyOf("properties: {label: {type: string}, id: {type: integer}}"),
    "label",
  ],
  [
    "a field with another text",
    replyOf("properties: {name: {type: string, description: A}}"),
    replyOf("properties: {label: {type: string, description: B}}"),
    "label",
  ],
  [
    "a field of another type",
    replyOf("properties: {name: {type: string}}"),
    replyOf("properties: {label: {type: integer}}"),
    undefined,
  ],
  [
    "one of two",
    replyOf("properties: {name: {type: string}}"),
    replyOf("properties: {label: {type: string}, title: {type: string}}"),
    undefined,
  ],
  [
    "a parameter",
    described({ operation: "parameters: [{name: kind, in: query, schema: {type: string}}]" }),
    described({ operation: "parameters: [{name: type, in: query, schema: {type: string}}]" }),
    "type",
  ],
])("reports %s as renamed where exactly one added node has the same content", async (_, old, next, renamedTo) => {
  const gone = (await differencesOf(old, next)).find(({ code }) => code.endsWith("-removed"));
  expect(gone?.renamedTo).toBe(renamedTo);
  if (renamedTo === undefined) expect(gone?.says).not.toContain("renamed");
  else expect(gone?.says).toMatch(new RegExp(` was removed\\. It may have been renamed to "${renamedTo}"\\.$`));
});
