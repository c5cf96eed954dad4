import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("items are checked in order, beside the array", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: array, minItems: 1, maxItems: 3, uniqueItems: true, items: {type: string}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isArray(value)) addIssue(issues, "type", "array");
      else {
        if (value.length < 1 || value.length > 3) addIssue(issues, "items", 1, 3);
        if (value.length <= 3) {
          if (!isUnique(value)) addIssue(issues, "unique");
          for (let index = 0; index < value.length; index += 1) {
            const item = value[index];
            if (typeof item !== "string") addIssueAt(issues, index, "type", "string");
          }
        }
      }
    }"
  `);
});

test("the first items by place, some by what they contain, and the rest", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: array, prefixItems: [{type: string}], contains: {const: 1}, maxContains: 2, unevaluatedItems: false}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAContained(value: unknown, issues: Issues): void {
      if (value !== 1) addIssue(issues, "const", 1);
    }

    export function checkA(value: unknown, issues: Issues): void {
      if (!isArray(value)) addIssue(issues, "type", "array");
      else {
        const fitting = value.filter((item) => isValid(checkAContained, item)).length;
        if (fitting < 1 || fitting > 2) addIssue(issues, "contains", 1, 2);
        if (value.length > 0) {
          const item = value[0];
          if (typeof item !== "string") addIssueAt(issues, 0, "type", "string");
        }
        for (let index = 1; index < value.length; index += 1) {
          if (!(index < 1 || isValid(checkAContained, value[index]))) {
            addIssueAt(issues, index, "false");
          }
        }
      }
    }"
  `);
});

test("nested arrays report issues of inner items", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: array, items: {type: array, maxItems: 2}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isArray(value)) addIssue(issues, "type", "array");
      else {
        for (let index = 0; index < value.length; index += 1) {
          const item = value[index];
          if (!isArray(item)) addIssueAt(issues, index, "type", "array");
          else {
            const before = issues.length;
            if (item.length > 2) addIssue(issues, "items", undefined, 2);
            if (issues.length > before) prefixPaths(issues, before, index);
          }
        }
      }
    }"
  `);
});
