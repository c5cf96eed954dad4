import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("schemas with names are functions, called where they are referred to", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: object, properties: {b: {$ref: '#/components/schemas/B'}, also: {$ref: '#/components/schemas/B'}}, allOf: [{$ref: '#/components/schemas/B'}]}
    B: {type: object, required: [b]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const bValue = value["b"];
        if (bValue !== undefined) {
          const before = issues.length;
          checkB(bValue, issues);
          if (issues.length > before) prefixPaths(issues, before, "b");
        }
        const alsoValue = value["also"];
        if (alsoValue !== undefined) {
          const before = issues.length;
          checkB(alsoValue, issues);
          if (issues.length > before) prefixPaths(issues, before, "also");
        }
      }
      checkB(value, issues);
    }

    export function checkB(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else if (!hasOwn(value, "b")) addIssueAt(issues, "b", "required");
    }"
  `);
});

test("a schema may refer to itself", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: array, items: {$ref: '#/components/schemas/A'}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isArray(value)) addIssue(issues, "type", "array");
      else {
        for (let index = 0; index < value.length; index += 1) {
          const item = value[index];
          const before = issues.length;
          checkA(item, issues);
          if (issues.length > before) prefixPaths(issues, before, index);
        }
      }
    }"
  `);
});

test("functions that print alike are one, with a name that holds for both", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: object, properties: {a: {not: {const: red}}, b: {not: {const: red}}}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkRed(value: unknown, issues: Issues): void {
      if (value !== "red") addIssue(issues, "const", "red");
    }

    export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const aValue = value["a"];
        if (aValue !== undefined && isValid(checkRed, aValue)) addIssueAt(issues, "a", "not");
        const bValue = value["b"];
        if (bValue !== undefined && isValid(checkRed, bValue)) addIssueAt(issues, "b", "not");
      }
    }"
  `);
});

test("only functions that can reject unknown fields take `reject`, also through others", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: object, properties: {b: {$ref: '#/components/schemas/B'}, text: {$ref: '#/components/schemas/Text'}}}
    B: {type: array, items: {$ref: '#/components/schemas/C'}}
    C: {type: object, properties: {text: {$ref: '#/components/schemas/Text'}, again: {$ref: '#/components/schemas/C'}}}
    Text: {type: string}
`);
  expect([...checks.matchAll(/function (\w+)\(.*reject/g)].map(([, name]) => name)).toEqual([
    "checkA",
    "checkB",
    "checkC",
  ]);
  expect(checks).toContain("checkText(textValue, issues);");
});
