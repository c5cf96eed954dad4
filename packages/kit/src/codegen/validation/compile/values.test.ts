import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("a few values are compared, more are looked up", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: object, properties: {few: {enum: [a, 2, null]}, more: {enum: [a, b, c, d, e]}}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "const aMoreValues: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["a", "b", "c", "d", "e"]);

    export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const fewValue = value["few"];
        if (fewValue !== undefined && fewValue !== "a" && fewValue !== 2 && fewValue !== null)
          addIssueAt(issues, "few", "enum", ["a", 2, null]);
        const moreValue = value["more"];
        if (moreValue !== undefined && !aMoreValues.has(moreValue))
          addIssueAt(issues, "more", "enum", ["a", "b", "c", "d", "e"]);
      }
    }"
  `);
});

test("values of other types are dropped, and non-scalars are compared by their contents", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: [object, string], enum: [{a: [1]}, 3, b]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (value !== "b" && !isEqual(value, { a: [1] })) addIssue(issues, "enum", [{ a: [1] }, "b"]);
    }"
  `);
});

test("where no value is left, none is allowed", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: string, const: 3}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      addIssue(issues, "false");
    }"
  `);
});

test("a value has to be in both lists", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: object, properties: {in: {const: {a: 1, b: [2]}, enum: [1, {b: [2], a: 1}]}, out: {const: {a: 1}, enum: [1, {a: [1]}]}}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const inValue = value["in"];
        if (inValue !== undefined && !isEqual(inValue, { a: 1, b: [2] }))
          addIssueAt(issues, "in", "const", { a: 1, b: [2] });
        const outValue = value["out"];
        if (outValue !== undefined) addIssueAt(issues, "out", "false");
      }
    }"
  `);
});
