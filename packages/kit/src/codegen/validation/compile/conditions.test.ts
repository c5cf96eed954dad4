import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("`then` is checked if a condition holds, and `else` otherwise", async () => {
  const checks = await compileFixtureChecks(`
    A: {if: {required: [a]}, then: {required: [b]}, else: {required: [c]}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAIfWithA(value: unknown, issues: Issues): void {
      if (isObject(value) && !hasOwn(value, "a")) addIssueAt(issues, "a", "required");
    }

    export function checkA(value: unknown, issues: Issues): void {
      if (isValid(checkAIfWithA, value)) {
        if (isObject(value) && !hasOwn(value, "b")) addIssueAt(issues, "b", "required");
      } else if (isObject(value) && !hasOwn(value, "c")) addIssueAt(issues, "c", "required");
    }"
  `);
});

test("a condition without consequences is not evaluated", async () => {
  const checks = await compileFixtureChecks(`
    A: {if: {required: [a]}}
`);
  expect(checks).toMatchInlineSnapshot(`"export function checkA(value: unknown, issues: Issues): void {}"`);
});

test("a pattern that must not match is named", async () => {
  const named = await compileFixtureChecks(`
    A: {type: string, not: {type: string, pattern: "--", maxLength: 9}}
`);
  expect(named).toContain('if (isValid(checkANot, value)) addIssue(issues, "not", "--");');
  const further = await compileFixtureChecks(`
    A: {type: string, not: {type: string, pattern: "--", minLength: 9}}
`);
  expect(further).toContain('if (isValid(checkANot, value)) addIssue(issues, "not");');
});

test("`not` is evaluated", async () => {
  const checks = await compileFixtureChecks(`
    A: {not: {type: string}, properties: {never: false}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkANot(value: unknown, issues: Issues): void {
      if (typeof value !== "string") addIssue(issues, "type", "string");
    }

    export function checkA(value: unknown, issues: Issues): void {
      if (isObject(value)) {
        const neverValue = value["never"];
        if (neverValue !== undefined) addIssueAt(issues, "never", "false");
      }
      if (isValid(checkANot, value)) addIssue(issues, "not");
    }"
  `);
});

test("names tell what each condition and branch is about, without numbers", async () => {
  const checks = await compileFixtureChecks(`
    A:
      type: object
      allOf:
        - {if: {required: [kind], properties: {kind: {const: x}}}, then: {properties: {code: {type: string, pattern: '^x'}}}}
        - {if: {required: [kind], properties: {kind: {const: y}}}, then: {properties: {code: {type: string, pattern: '^y'}}}}
      properties: {address: {anyOf: [{type: string, format: ipv4}, {type: string, format: ipv6}]}}
`);
  const names = checks.matchAll(/^(?:export )?(?:const|function) (\w+)/gm);
  expect([...names].map(([, name]) => name)).toEqual([
    "checkAAddressIpv4",
    "checkAAddressIpv6",
    "aKindXCodePattern",
    "checkAIfKindX",
    "aKindYCodePattern",
    "checkAIfKindY",
    "checkA",
  ]);
});
