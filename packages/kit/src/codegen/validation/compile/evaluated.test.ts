import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("what a branch describes is evaluated where the branch fits", async () => {
  const checks = await compileFixtureChecks(`
    A:
      type: object
      properties: {a: true}
      anyOf: [{properties: {b: {type: string}}, required: [b]}, {$ref: '#/components/schemas/C'}]
      unevaluatedProperties: false
    C: {properties: {c: true}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "const aFields: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["a"]);

    const aFields2: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["b"]);

    const aFields3: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["c"]);

    function checkWithB(value: unknown, issues: Issues): void {
      if (isObject(value)) {
        const bValue = value["b"];
        if (bValue === undefined) addIssueAt(issues, "b", "required");
        else if (typeof bValue !== "string") addIssueAt(issues, "b", "type", "string");
      }
    }

    export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        for (const key of Object.keys(value)) {
          if (
            !(
              aFields.has(key) ||
              (isValid(checkWithB, value) && aFields2.has(key)) ||
              (isValid(checkC, value) && aFields3.has(key)) ||
              (!(isValid(checkWithB, value) || isValid(checkC, value)) && (aFields2.has(key) || aFields3.has(key)))
            )
          )
            addIssueAt(issues, key, "unknown");
        }
      }
      anyOf(value, issues, [checkWithB, checkC]);
    }

    export function checkC(value: unknown, issues: Issues): void {}"
  `);
});

test("a condition evaluates with what follows of it", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: array, if: {prefixItems: [{const: a}]}, then: {prefixItems: [true, true]}, unevaluatedItems: {type: integer, minimum: 0, maximum: 9}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAIf(value: unknown, issues: Issues): void {
      if (isArray(value)) {
        if (value.length > 0) {
          const item = value[0];
          if (item !== "a") addIssueAt(issues, 0, "const", "a");
        }
      }
    }

    export function checkA(value: unknown, issues: Issues): void {
      if (!isArray(value)) addIssue(issues, "type", "array");
      else {
        for (let index = 0; index < value.length; index += 1) {
          if (!(isValid(checkAIf, value) ? index < 1 || index < 2 : false)) {
            const item = value[index];
            if (typeof item !== "number" || !Number.isInteger(item)) addIssueAt(issues, index, "type", "integer");
            else if (item < 0 || item > 9) addIssueAt(issues, index, "range", 0, 9);
          }
        }
      }
    }"
  `);
});
