import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("fields are read once, and issues have their paths", async () => {
  const checks = await checksOf(`
    A: {type: object, required: [id, other], properties: {id: {type: integer, minimum: 1, maximum: 9}, name: {type: string}}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        const idValue = value["id"];
        if (idValue === undefined) failAt(faults, "id", "required");
        else {
          if (typeof idValue !== "number" || !Number.isInteger(idValue)) failAt(faults, "id", "type", "integer");
          else {
            if (idValue < 1 || idValue > 9) failAt(faults, "id", "range", 1, 9);
          }
        }
        const nameValue = value["name"];
        if (nameValue !== undefined) {
          if (typeof nameValue !== "string") failAt(faults, "name", "type", "string");
        }
        if (!hasOwn(value, "other")) failAt(faults, "other", "required");
      }
    }"
  `);
});

test("names are checked, and fields by their names", async () => {
  const checks = await checksOf(`
    A:
      type: object
      minProperties: 1
      propertyNames: {maxLength: 5}
      properties: {a: true}
      patternProperties: {'^x-': {type: string}}
      additionalProperties: false
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkANames(value: unknown, faults: Faults, reject?: boolean): void {
      if (typeof value === "string") {
        if (value.length > 5 && isLonger(value, 5)) fail(faults, "length", undefined, 5);
      }
    }

    const aPattern: RegExp = /* @__PURE__ */ new RegExp("^x-", "u");

    const aFields: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["a"]);

    export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (Object.keys(value).length < 1) fail(faults, "fields", 1);
        for (const key of Object.keys(value)) {
          const other = value[key];
          if (!holds(checkANames, key)) failAt(faults, key, "name");
          if (aPattern.test(key)) {
            if (typeof other !== "string") failAt(faults, key, "type", "string");
          }
          if (!(aFields.has(key) || aPattern.test(key))) {
            failAt(faults, key, "unknown");
          }
        }
      }
    }"
  `);
});

test("a field asks for others", async () => {
  const checks = await checksOf(`
    A: {type: object, dependentRequired: {card: [address]}, dependentSchemas: {card: {required: [name]}}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (hasOwn(value, "card")) {
          if (!hasOwn(value, "address")) failAt(faults, "address", "needs", "card");
        }
        if (hasOwn(value, "card")) {
          if (isObject(value)) {
            if (!hasOwn(value, "name")) failAt(faults, "name", "required");
          }
        }
      }
    }"
  `);
});

test("what every object inherits is not there", async () => {
  const checks = await checksOf(`
    A: {type: object, properties: {toString: {type: string}}, required: [constructor]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        const toStringValue = ownField(value, "toString");
        if (toStringValue !== undefined) {
          if (typeof toStringValue !== "string") failAt(faults, "toString", "type", "string");
        }
        if (!hasOwn(value, "constructor")) failAt(faults, "constructor", "required");
      }
    }"
  `);
});

test("a null may be nothing, where a field cannot be null", async () => {
  const checks = await checksOf(
    `
    A:
      type: object
      required: [a]
      properties: {a: {type: string}, b: {type: [string, 'null']}, c: {type: boolean}}
      dependentRequired: {c: [d]}
`,
    "absent",
  );
  expect(checks).toMatchInlineSnapshot(`
    "export function checkSentA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        const aValue = value["a"];
        if (aValue === undefined || aValue === null) failAt(faults, "a", "required");
        else {
          if (typeof aValue !== "string") failAt(faults, "a", "type", "string");
        }
        const bValue = value["b"];
        if (bValue !== undefined) {
          if (typeof bValue !== "string" && bValue !== null) failAt(faults, "b", "type", ["string", "null"]);
        }
        const cValue = value["c"];
        if (cValue !== undefined && cValue !== null) {
          if (typeof cValue !== "boolean") failAt(faults, "c", "type", "boolean");
        }
        if ((value["c"] ?? null) !== null) {
          if ((value["d"] ?? null) === null) failAt(faults, "d", "needs", "c");
        }
      }
    }"
  `);
});
