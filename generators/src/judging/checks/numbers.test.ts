import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("an integer has to be exact, unless its bounds see to that", async () => {
  const checks = await checksOf(`
    A: {type: array, prefixItems: [{type: integer, minimum: 1}, {type: integer, minimum: 1, maximum: 9}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isList(value)) fail(faults, "type", "array");
      else {
        if (value.length > 0) {
          const item = value[0];
          if (typeof item !== "number" || !Number.isInteger(item)) failAt(faults, 0, "type", "integer");
          else {
            if (item < 1) failAt(faults, 0, "range", 1);
            if (!Number.isSafeInteger(item)) failAt(faults, 0, "exact");
          }
        }
        if (value.length > 1) {
          const item2 = value[1];
          if (typeof item2 !== "number" || !Number.isInteger(item2)) failAt(faults, 1, "type", "integer");
          else {
            if (item2 < 1 || item2 > 9) failAt(faults, 1, "range", 1, 9);
          }
        }
      }
    }"
  `);
});

test("exclusive bounds have issues of their own", async () => {
  const checks = await checksOf(`
    A: {type: number, exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 0.5}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (typeof value !== "number" || !Number.isFinite(value)) fail(faults, "type", "number");
      else {
        if (value <= 0) fail(faults, "above", 0);
        if (value >= 10) fail(faults, "below", 10);
        if (!isMultiple(value, 0.5)) fail(faults, "multiple", 0.5);
      }
    }"
  `);
});
