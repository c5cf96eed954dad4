import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("the type is checked first, and other keywords after it", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: string, maxLength: 3}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (typeof value !== "string") addIssue(issues, "type", "string");
      else if (value.length > 3 && isLonger(value, 3)) addIssue(issues, "length", undefined, 3);
    }"
  `);
});

test("of several types, each has its own keywords", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: [string, integer, 'null'], minLength: 2, minimum: 0, maximum: 9}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (typeof value === "string") {
        if (isShorter(value, 2)) addIssue(issues, "length", 2);
      } else if (typeof value === "number" && Number.isInteger(value)) {
        if (value < 0 || value > 9) addIssue(issues, "range", 0, 9);
      } else if (value !== null) addIssue(issues, "type", ["string", "integer", "null"]);
    }"
  `);
});

test("keywords of one type do not apply to others", async () => {
  const checks = await compileFixtureChecks(`
    A: {minimum: 0.5, minItems: 1}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (typeof value === "number" && Number.isFinite(value)) {
        if (value < 0.5) addIssue(issues, "range", 0.5);
      } else if (isArray(value)) {
        if (value.length < 1) addIssue(issues, "items", 1);
      }
    }"
  `);
});

test("an empty schema has no checks", async () => {
  const checks = await compileFixtureChecks(`
    A: {description: Anything, default: 3}
`);
  expect(checks).toMatchInlineSnapshot(`"export function checkA(value: unknown, issues: Issues): void {}"`);
});
