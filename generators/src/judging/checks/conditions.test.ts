import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("`then` is checked if a condition holds, and `else` otherwise", async () => {
  const checks = await checksOf(`
    A: {if: {required: [a]}, then: {required: [b]}, else: {required: [c]}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAIf(value: unknown, faults: Faults, reject?: boolean): void {
      if (isObject(value)) {
        if (!hasOwn(value, "a")) failAt(faults, "a", "required");
      }
    }

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (holds(checkAIf, value)) {
        if (isObject(value)) {
          if (!hasOwn(value, "b")) failAt(faults, "b", "required");
        }
      } else {
        if (isObject(value)) {
          if (!hasOwn(value, "c")) failAt(faults, "c", "required");
        }
      }
    }"
  `);
});

test("a condition without consequences is not evaluated", async () => {
  const checks = await checksOf(`
    A: {if: {required: [a]}}
`);
  expect(checks).toMatchInlineSnapshot(
    `"export function checkA(value: unknown, faults: Faults, reject?: boolean): void {}"`,
  );
});

test("a pattern that must not match is named", async () => {
  const named = await checksOf(`
    A: {type: string, not: {type: string, pattern: "--", maxLength: 9}}
`);
  expect(named).toContain('if (holds(checkANot, value)) fail(faults, "not", "--");');
  const further = await checksOf(`
    A: {type: string, not: {type: string, pattern: "--", minLength: 9}}
`);
  expect(further).toContain('if (holds(checkANot, value)) fail(faults, "not");');
});

test("`not` is evaluated", async () => {
  const checks = await checksOf(`
    A: {not: {type: string}, properties: {never: false}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkANot(value: unknown, faults: Faults, reject?: boolean): void {
      if (typeof value !== "string") fail(faults, "type", "string");
    }

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (isObject(value)) {
        const neverValue = value["never"];
        if (neverValue !== undefined) {
          failAt(faults, "never", "never");
        }
      }
      if (holds(checkANot, value)) fail(faults, "not");
    }"
  `);
});
