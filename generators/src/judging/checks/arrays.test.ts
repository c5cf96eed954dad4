import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("items are checked in order, beside the array", async () => {
  const checks = await checksOf(`
    A: {type: array, minItems: 1, maxItems: 3, uniqueItems: true, items: {type: string}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isList(value)) fail(faults, "type", "array");
      else {
        if (value.length < 1 || value.length > 3) fail(faults, "items", 1, 3);
        if (value.length <= 3) {
          if (!isUnique(value)) fail(faults, "unique");
          for (let index = 0; index < value.length; index += 1) {
            const item = value[index];
            if (typeof item !== "string") failAt(faults, index, "type", "string");
          }
        }
      }
    }"
  `);
});

test("the first items by place, some by what they contain, and the rest", async () => {
  const checks = await checksOf(`
    A: {type: array, prefixItems: [{type: string}], contains: {const: 1}, maxContains: 2, unevaluatedItems: false}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAContained(value: unknown, faults: Faults, reject?: boolean): void {
      if (value !== 1) fail(faults, "const", 1);
    }

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isList(value)) fail(faults, "type", "array");
      else {
        const fitting = value.filter((item) => holds(checkAContained, item)).length;
        if (fitting < 1 || fitting > 2) fail(faults, "contains", 1, 2);
        if (value.length > 0) {
          const item = value[0];
          if (typeof item !== "string") failAt(faults, 0, "type", "string");
        }
        for (let index = 1; index < value.length; index += 1) {
          if (!(index < 1 || holds(checkAContained, value[index]))) {
            failAt(faults, index, "never");
          }
        }
      }
    }"
  `);
});

test("nested arrays report issues of inner items", async () => {
  const checks = await checksOf(`
    A: {type: array, items: {type: array, maxItems: 2}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isList(value)) fail(faults, "type", "array");
      else {
        for (let index = 0; index < value.length; index += 1) {
          const item = value[index];
          if (!isList(item)) failAt(faults, index, "type", "array");
          else {
            const before = faults.length;
            if (item.length > 2) fail(faults, "items", undefined, 2);
            if (faults.length > before) under(faults, before, index);
          }
        }
      }
    }"
  `);
});
