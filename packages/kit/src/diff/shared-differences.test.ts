import { expect, test } from "vitest";
import { withPaths } from "../openapi/testing.js";
import { describeNotes, diffTexts, describeResponse } from "./diff-cases.support.js";
import { formatDiffAsMarkdown } from "./report/diff-markdown.js";
import { formatDiffAsText, type ReportedDifference } from "./report/diff-report.js";
import { formatChangeset } from "./report/format-changeset.js";

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
    const found = await diffTexts(limited(10, isReference), limited(5, isReference));
    expect(found.map(({ code, message, where }) => [code, message, where.operations.length])).toEqual([
      [
        "limit-tightened",
        "A limit of each of 12 operations is tighter: general, at most 5 requests within 1 minute instead of general, at most 10 requests within 1 minute.",
        12,
      ],
    ]);
    const reported = found.map((each): ReportedDifference => ({
      ...each,
      origin: { ...each.origin, line: 1, column: 1 },
    }));
    const outcome = {
      differences: reported,
      packages: [{ name: "@a/client", kind: "client", bump: "minor" as const }],
    };
    for (const text of [formatDiffAsText(outcome), formatDiffAsMarkdown(outcome), formatChangeset(outcome)])
      expect(text.split("\n").filter((line) => line.includes("within 1 minute"))).toHaveLength(1);
    expect(formatDiffAsText(outcome)).toContain("(GET /a0, GET /a1, GET /a2 and 9 more)");
  },
);

test("a limit of one operation names the operation", async () => {
  const limit = (max: number): string => `x-limits: [{id: one, kind: rate, max: ${max}, window: PT1M}]`;
  const [one] = await diffTexts(describeNotes({ operation: limit(2) }), describeNotes({ operation: limit(3) }));
  expect(one?.message).toMatch(/^A limit of POST \/notes is looser: /);
});

test.each([
  [
    "a field",
    describeResponse("properties: {name: {type: string}, id: {type: integer}}"),
    describeResponse("properties: {label: {type: string}, id: {type: integer}}"),
    "label",
  ],
  [
    "a field with another text",
    describeResponse("properties: {name: {type: string, description: A}}"),
    describeResponse("properties: {label: {type: string, description: B}}"),
    "label",
  ],
  [
    "a field of another type",
    describeResponse("properties: {name: {type: string}}"),
    describeResponse("properties: {label: {type: integer}}"),
    undefined,
  ],
  [
    "one of two",
    describeResponse("properties: {name: {type: string}}"),
    describeResponse("properties: {label: {type: string}, title: {type: string}}"),
    undefined,
  ],
  [
    "a parameter",
    describeNotes({ operation: "parameters: [{name: kind, in: query, schema: {type: string}}]" }),
    describeNotes({ operation: "parameters: [{name: type, in: query, schema: {type: string}}]" }),
    "type",
  ],
])("reports %s as renamed where exactly one added node has the same content", async (_, old, next, renamedTo) => {
  const gone = (await diffTexts(old, next)).find(({ code }) => code.endsWith("-removed"));
  expect(gone?.renamedTo).toBe(renamedTo);
  if (renamedTo === undefined) expect(gone?.message).not.toContain("renamed");
  else expect(gone?.message).toMatch(new RegExp(` was removed\\. It may have been renamed to "${renamedTo}"\\.$`));
});
