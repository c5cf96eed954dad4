import { expect, test } from "vitest";
import { checksOf } from "./testing.support.js";

test("one type is told first, and what else is said of it after that", async () => {
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

test("of several types each is judged by what is said of it", async () => {
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

test("what is said of values of one type says nothing of others", async () => {
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

test("what says nothing judges nothing", async () => {
  const checks = await checksOf(`
    A: {description: Anything, default: 3}
`);
  expect(checks).toMatchInlineSnapshot(
    `"export function checkA(value: unknown, faults: Faults, reject?: boolean): void {}"`,
  );
});
