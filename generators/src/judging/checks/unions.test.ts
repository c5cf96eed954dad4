import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("the type selects among branches of different types", async () => {
  const checks = await checksOf(`
    A: {oneOf: [{type: string, maxLength: 3}, {type: boolean}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (typeof value === "string") {
        if (value.length > 3 && isLonger(value, 3)) fail(faults, "length", undefined, 3);
      } else if (typeof value !== "boolean") fail(faults, "type", ["string", "boolean"]);
    }"
  `);
});

test("a discriminator selects the branch", async () => {
  const checks = await checksOf(`
    A: {oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}], discriminator: {propertyName: kind}}
    B: {type: object, required: [b]}
    C: {type: object, required: [c]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "const aByKind: () => Readonly<Record<string, Check>> = () => ({ B: checkB, C: checkC });

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      matchTagged(value, faults, "kind", aByKind(), reject);
    }

    export function checkB(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (!hasOwn(value, "b")) failAt(faults, "b", "required");
      }
    }

    export function checkC(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (!hasOwn(value, "c")) failAt(faults, "c", "required");
      }
    }"
  `);
});

test("null stands beside branches with a tag", async () => {
  const checks = await checksOf(`
    A:
      oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}, {type: 'null'}]
      discriminator: {propertyName: kind}
    B: {type: object}
    C: {type: object}
`);
  expect(checks.slice(0, checks.indexOf("export function checkB"))).toMatchInlineSnapshot(`
    "const aByKind: () => Readonly<Record<string, Check>> = () => ({ B: checkB, C: checkC });

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (isObject(value)) {
        matchTagged(value, faults, "kind", aByKind(), reject);
      } else if (value !== null) fail(faults, "type", ["null", "object"]);
    }

    "
  `);
});

test("a discriminator does not select a branch without a mapping", async () => {
  const checks = await checksOf(`
    A:
      oneOf: [{$ref: '#/components/schemas/B'}, {type: object, title: Other}, {type: 'null'}]
      discriminator: {propertyName: kind}
    B: {type: object, required: [b]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAOther(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
    }

    function checkAOne3(value: unknown, faults: Faults, reject?: boolean): void {
      if (value !== null) fail(faults, "type", "null");
    }

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      matchOne(value, faults, [checkB, checkAOther, checkAOne3], reject);
    }

    export function checkB(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (!hasOwn(value, "b")) failAt(faults, "b", "required");
      }
    }"
  `);
});

test("other branches are tried, and named by their titles", async () => {
  const checks = await checksOf(`
    A: {anyOf: [{type: object, title: By id, required: [id]}, {type: object, required: [name]}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAById(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (!hasOwn(value, "id")) failAt(faults, "id", "required");
      }
    }

    function checkAAny2(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (!hasOwn(value, "name")) failAt(faults, "name", "required");
      }
    }

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      matchAny(value, faults, [checkAById, checkAAny2], reject);
    }"
  `);
});

test("a single branch is not a union", async () => {
  const checks = await checksOf(`
    A: {anyOf: [{type: string}], oneOf: [{maxLength: 3}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (typeof value !== "string") fail(faults, "type", "string");
      if (typeof value === "string") {
        if (value.length > 3 && isLonger(value, 3)) fail(faults, "length", undefined, 3);
      }
    }"
  `);
});
