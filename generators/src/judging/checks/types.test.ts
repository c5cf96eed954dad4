import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("the type is checked first, and other keywords after it", async () => {
  const checks = await checksOf(`
    A: {type: string, maxLength: 3}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (typeof value !== "string") fail(faults, "type", "string");
      else {
        if (value.length > 3 && isLonger(value, 3)) fail(faults, "length", undefined, 3);
      }
    }"
  `);
});

test("of several types, each has its own keywords", async () => {
  const checks = await checksOf(`
    A: {type: [string, integer, 'null'], minLength: 2, minimum: 0, maximum: 9}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (typeof value === "string") {
        if (isShorter(value, 2)) fail(faults, "length", 2);
      } else if (typeof value === "number" && Number.isInteger(value)) {
        if (value < 0 || value > 9) fail(faults, "range", 0, 9);
      } else if (value !== null) fail(faults, "type", ["string", "integer", "null"]);
    }"
  `);
});

test("keywords of one type do not apply to others", async () => {
  const checks = await checksOf(`
    A: {minimum: 0.5, minItems: 1}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, faults: Faults, reject?: boolean): void {
      if (typeof value === "number" && Number.isFinite(value)) {
        if (value < 0.5) fail(faults, "range", 0.5);
      } else if (isList(value)) {
        if (value.length < 1) fail(faults, "items", 1);
      }
    }"
  `);
});

test("an empty schema has no checks", async () => {
  const checks = await checksOf(`
    A: {description: Anything, default: 3}
`);
  expect(checks).toMatchInlineSnapshot(
    `"export function checkA(value: unknown, faults: Faults, reject?: boolean): void {}"`,
  );
});
