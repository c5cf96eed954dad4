import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("limits of the vocabulary", async () => {
  const checks = await compileFixtureChecks(`
    A:
      type: object
      x-limits:
        - {id: both, kind: combined-length, by: [a, b], max: 10}
        - {id: all, kind: serialized-length, max: 100}
      properties:
        a: {type: string, x-limits: [{id: a, kind: bytes, max: 5}]}
        list: {type: array, x-limits: [{id: keys, kind: unique, by: [key], within: array}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const aValue = value["a"];
        if (aValue !== undefined) {
          if (typeof aValue !== "string") addIssueAt(issues, "a", "type", "string");
          else if (utf8Length(aValue) > 5) addIssueAt(issues, "a", "bytes", 5);
        }
        const listValue = value["list"];
        if (listValue !== undefined) {
          if (!isArray(listValue)) addIssueAt(issues, "list", "type", "array");
          else {
            const before = issues.length;
            if (!isUniqueBy(listValue, ["key"])) addIssue(issues, "unique", ["key"]);
            if (issues.length > before) prefixPaths(issues, before, "list");
          }
        }
        if (combinedLength(value, ["a", "b"]) > 10) addIssue(issues, "combined", ["a", "b"], 10);
      }
      if (serializedLength(value) > 100) addIssue(issues, "serialized", 100);
    }"
  `);
});

test("texts of a list have a length together", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: array, items: {type: string}, x-limits: [{id: toys, kind: combined-length, max: 30}]}
`);
  expect(checks).toContain('if (textLength(value) > 30) addIssue(issues, "combined", undefined, 30);');
});
