import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("an integer has to be exact, unless its bounds see to that", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: array, prefixItems: [{type: integer, minimum: 1}, {type: integer, minimum: 1, maximum: 9}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isArray(value)) addIssue(issues, "type", "array");
      else {
        if (value.length > 0) {
          const item = value[0];
          if (typeof item !== "number" || !Number.isInteger(item)) addIssueAt(issues, 0, "type", "integer");
          else {
            if (item < 1) addIssueAt(issues, 0, "range", 1);
            if (!Number.isSafeInteger(item)) addIssueAt(issues, 0, "safeInteger");
          }
        }
        if (value.length > 1) {
          const item = value[1];
          if (typeof item !== "number" || !Number.isInteger(item)) addIssueAt(issues, 1, "type", "integer");
          else if (item < 1 || item > 9) addIssueAt(issues, 1, "range", 1, 9);
        }
      }
    }"
  `);
});

test("exclusive bounds have issues of their own", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: number, exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 0.5}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (typeof value !== "number" || !Number.isFinite(value)) addIssue(issues, "type", "number");
      else {
        if (value <= 0) addIssue(issues, "exclusiveMinimum", 0);
        if (value >= 10) addIssue(issues, "exclusiveMaximum", 10);
        if (!isMultipleOf(value, 0.5)) addIssue(issues, "multiple", 0.5);
      }
    }"
  `);
});
