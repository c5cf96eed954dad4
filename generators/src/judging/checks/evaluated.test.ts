import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("what a branch describes is evaluated where the branch fits", async () => {
  const checks = await checksOf(`
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

    function checkAPart(value: unknown, faults: Faults, reject?: boolean): void {
      if (isObject(value)) {
        const bValue = value["b"];
        if (bValue === undefined) failAt(faults, "b", "required");
        else {
          if (typeof bValue !== "string") failAt(faults, "b", "type", "string");
        }
      }
    }

    const aFields3: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["c"]);

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        for (const key of Object.keys(value)) {
          if (
            !(
              aFields.has(key) ||
              (holds(checkAPart, value) && aFields2.has(key)) ||
              (holds(checkC, value) && aFields3.has(key))
            )
          ) {
            failAt(faults, key, "unknown");
          }
        }
      }
      matchAny(value, faults, [checkAPart, checkC], reject);
    }

    export function checkC(value: unknown, faults: Faults, reject?: boolean): void {}"
  `);
});

test("a condition evaluates with what follows of it", async () => {
  const checks = await checksOf(`
    A: {type: array, if: {prefixItems: [{const: a}]}, then: {prefixItems: [true, true]}, unevaluatedItems: {type: integer, minimum: 0, maximum: 9}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAIf(value: unknown, faults: Faults, reject?: boolean): void {
      if (isList(value)) {
        if (value.length > 0) {
          const item = value[0];
          if (item !== "a") failAt(faults, 0, "const", "a");
        }
      }
    }

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isList(value)) fail(faults, "type", "array");
      else {
        for (let index = 0; index < value.length; index += 1) {
          if (!(holds(checkAIf, value) ? index < 1 || index < 2 : false)) {
            const item = value[index];
            if (typeof item !== "number" || !Number.isInteger(item)) failAt(faults, index, "type", "integer");
            else {
              if (item < 0 || item > 9) failAt(faults, index, "range", 0, 9);
            }
          }
        }
      }
    }"
  `);
});
