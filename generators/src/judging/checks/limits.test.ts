import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("limits of the vocabulary", async () => {
  const checks = await checksOf(`
    A:
      type: object
      x-limits:
        - {id: both, kind: combined-length, by: [a, b], max: 10}
        - {id: all, kind: serialized-length, max: 100}
      properties:
        a: {type: string, x-limits: [{id: a, kind: bytes, max: 5}]}
        list: {type: array, x-limits: [{id: keys, kind: unique, by: [key], within: array}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        const aValue = value["a"];
        if (aValue !== undefined) {
          if (typeof aValue !== "string") failAt(faults, "a", "type", "string");
          else {
            if (bytesOf(aValue) > 5) failAt(faults, "a", "bytes", 5);
          }
        }
        const listValue = value["list"];
        if (listValue !== undefined) {
          if (!isList(listValue)) failAt(faults, "list", "type", "array");
          else {
            const before = faults.length;
            if (!isUniqueBy(listValue, ["key"])) fail(faults, "unique", ["key"]);
            if (faults.length > before) under(faults, before, "list");
          }
        }
        if (combinedLength(value, ["a", "b"]) > 10) fail(faults, "combined", ["a", "b"], 10);
      }
      if (serializedLength(value) > 100) fail(faults, "serialized", 100);
    }"
  `);
});

test("texts of a list have a length together", async () => {
  const checks = await checksOf(`
    A: {type: array, items: {type: string}, x-limits: [{id: toys, kind: combined-length, max: 30}]}
`);
  expect(checks).toContain('if (textLength(value) > 30) fail(faults, "combined", undefined, 30);');
});
