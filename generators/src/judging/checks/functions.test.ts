import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("schemas with names are functions, called where they are referred to", async () => {
  const checks = await checksOf(`
    A: {type: object, properties: {b: {$ref: '#/components/schemas/B'}, also: {$ref: '#/components/schemas/B'}}, allOf: [{$ref: '#/components/schemas/B'}]}
    B: {type: object, required: [b]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        const bValue = value["b"];
        if (bValue !== undefined) {
          const before = faults.length;
          checkB(bValue, faults, reject);
          if (faults.length > before) under(faults, before, "b");
        }
        const alsoValue = value["also"];
        if (alsoValue !== undefined) {
          const before2 = faults.length;
          checkB(alsoValue, faults, reject);
          if (faults.length > before2) under(faults, before2, "also");
        }
      }
      checkB(value, faults, reject);
    }

    export function checkB(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (!hasOwn(value, "b")) failAt(faults, "b", "required");
      }
    }"
  `);
});

test("a schema may refer to itself", async () => {
  const checks = await checksOf(`
    A: {type: array, items: {$ref: '#/components/schemas/A'}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isList(value)) fail(faults, "type", "array");
      else {
        for (let index = 0; index < value.length; index += 1) {
          const item = value[index];
          const before = faults.length;
          checkA(item, faults, reject);
          if (faults.length > before) under(faults, before, index);
        }
      }
    }"
  `);
});

test("functions that print alike are one", async () => {
  const checks = await checksOf(`
    A: {type: object, properties: {a: {not: {const: 1}}, b: {not: {const: 1}}}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAANot(value: unknown, faults: Faults, reject?: boolean): void {
      if (value !== 1) fail(faults, "const", 1);
    }

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        const aValue = value["a"];
        if (aValue !== undefined) {
          if (holds(checkAANot, aValue)) failAt(faults, "a", "not");
        }
        const bValue = value["b"];
        if (bValue !== undefined) {
          if (holds(checkAANot, bValue)) failAt(faults, "b", "not");
        }
      }
    }"
  `);
});
