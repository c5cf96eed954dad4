import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

const custom = { formats: ["iban", "email", "int32"], keywords: ["x-luhn", "x-between"] };

async function compile(schemas: string, names: typeof custom | undefined = custom): Promise<string> {
  return compileFixtureChecks(schemas, "validated", names);
}

test("a custom format is checked for strings and numbers, in place of the known check", async () => {
  expect(
    await compile(`
    A: {type: object, properties: {a: {type: string, maxLength: 34, format: iban}, b: {type: string, format: email}, c: {type: integer, format: int32}}}
`),
  ).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const aValue = value["a"];
        if (aValue !== undefined) {
          if (typeof aValue !== "string") addIssueAt(issues, "a", "type", "string");
          else if (aValue.length > 34 && isLonger(aValue, 34)) addIssueAt(issues, "a", "length", undefined, 34);
          else if (!hasCustomFormat(aValue, "iban")) addIssueAt(issues, "a", "format", "iban");
        }
        const bValue = value["b"];
        if (bValue !== undefined) {
          if (typeof bValue !== "string") addIssueAt(issues, "b", "type", "string");
          else if (!hasCustomFormat(bValue, "email")) addIssueAt(issues, "b", "format", "email");
        }
        const cValue = value["c"];
        if (cValue !== undefined) {
          if (typeof cValue !== "number" || !Number.isInteger(cValue)) addIssueAt(issues, "c", "type", "integer");
          else {
            if (!Number.isSafeInteger(cValue)) addIssueAt(issues, "c", "safeInteger");
            if (!hasCustomFormat(cValue, "int32")) addIssueAt(issues, "c", "format", "int32");
          }
        }
      }
    }"
  `);
});

test("a custom keyword is checked for values of every type, with its value as data", async () => {
  expect(
    await compile(`
    A: {type: object, x-luhn: true, properties: {a: {type: string, x-luhn: 1, x-between: {from: '";', to: [2]}}}}
`),
  ).toMatchInlineSnapshot(`
    "const aaxBetween: unknown = { from: '";', to: [2] };

    export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const aValue = value["a"];
        if (aValue !== undefined) {
          if (typeof aValue !== "string") addIssueAt(issues, "a", "type", "string");
          const before = issues.length;
          checkCustomKeyword(aValue, issues, "x-luhn", 1);
          checkCustomKeyword(aValue, issues, "x-between", aaxBetween);
          if (issues.length > before) prefixPaths(issues, before, "a");
        }
      }
      checkCustomKeyword(value, issues, "x-luhn", true);
    }"
  `);
});

test("a custom keyword applies in unions, conditions and beside references", async () => {
  expect(
    await compile(`
    A: {anyOf: [{type: string, x-luhn: 1}, {type: integer}], not: {x-luhn: 2}}
    B: {type: string}
`),
  ).toMatchInlineSnapshot(`
    "function checkANot(value: unknown, issues: Issues): void {
      checkCustomKeyword(value, issues, "x-luhn", 2);
    }

    export function checkA(value: unknown, issues: Issues): void {
      if (typeof value === "string") {
        if (typeof value !== "string") addIssue(issues, "type", "string");
        checkCustomKeyword(value, issues, "x-luhn", 1);
      } else if (typeof value === "number" && Number.isInteger(value)) {
        if (!Number.isSafeInteger(value)) addIssue(issues, "safeInteger");
      } else addIssue(issues, "type", ["string", "integer"]);
      if (isValid(checkANot, value)) addIssue(issues, "not");
    }"
  `);
  expect(
    await compile(`
    A: {type: object, properties: {b: {$ref: '#/components/schemas/B', x-luhn: 1}}}
    B: {type: string}
`),
  ).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const bValue = value["b"];
        if (bValue !== undefined) {
          const before = issues.length;
          checkB(bValue, issues);
          if (issues.length > before) prefixPaths(issues, before, "b");
          const bBefore = issues.length;
          checkCustomKeyword(bValue, issues, "x-luhn", 1);
          if (issues.length > bBefore) prefixPaths(issues, bBefore, "b");
        }
      }
    }

    export function checkB(value: unknown, issues: Issues): void {
      if (typeof value !== "string") addIssue(issues, "type", "string");
    }"
  `);
});

test("without functions, nothing is emitted for them", async () => {
  const schema = "A: {type: string, format: iban, x-luhn: 1}";
  const plain = await compileFixtureChecks("A: {type: string, format: iban}");
  expect(await compileFixtureChecks(schema)).toBe(plain);
  expect(await compileFixtureChecks(schema, "validated", { formats: [], keywords: [] })).toBe(plain);
});
