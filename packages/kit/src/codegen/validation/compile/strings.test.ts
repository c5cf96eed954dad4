import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("a pattern sees no more than the length allows", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: string, minLength: 3, maxLength: 64, pattern: '^[a-z]', format: email}
`);
  expect(checks).toMatchInlineSnapshot(`
    "const aPattern: RegExp = /* @__PURE__ */ new RegExp("^[a-z]", "u");

    export function checkA(value: unknown, issues: Issues): void {
      if (typeof value !== "string") addIssue(issues, "type", "string");
      else if (isShorter(value, 3) || (value.length > 64 && isLonger(value, 64))) addIssue(issues, "length", 3, 64);
      else {
        if (!aPattern.test(value)) addIssue(issues, "pattern", "^[a-z]");
        if (!isEmail(value)) addIssue(issues, "format", "email");
      }
    }"
  `);
});

test("one character more than none needs no counting", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: string, minLength: 1}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (typeof value !== "string") addIssue(issues, "type", "string");
      else if (value.length === 0) addIssue(issues, "length", 1);
    }"
  `);
});

test("an unknown format is not checked", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: string, format: colour}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (typeof value !== "string") addIssue(issues, "type", "string");
    }"
  `);
});

test("a file of a form is not text, and its length is that of its bytes", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: string, format: binary, minLength: 1, maxLength: 8}
    B: {type: string, contentMediaType: image/png, maxLength: 8}
    C: {type: string, format: binary}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!(value instanceof Blob)) {
        if (typeof value !== "string") addIssue(issues, "type", "string");
        else if (value.length === 0 || (value.length > 8 && isLonger(value, 8))) addIssue(issues, "length", 1, 8);
      } else if (value.size < 1 || value.size > 8) addIssue(issues, "bytes", 8, 1);
    }"
  `);
});

test("an empty text is left out where an absent one is empty", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: string, minLength: 1, x-value: [{absent: true, set: ''}]}
`);
  expect(checks).toContain('addIssue(issues, "lengthOrAbsent", 1)');
});
