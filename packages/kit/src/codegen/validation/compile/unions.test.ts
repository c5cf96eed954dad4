import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("the type selects among branches of different types", async () => {
  const checks = await compileFixtureChecks(`
    A: {oneOf: [{type: string, maxLength: 3}, {type: boolean}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (typeof value === "string") {
        if (value.length > 3 && isLonger(value, 3)) addIssue(issues, "length", undefined, 3);
      } else if (typeof value !== "boolean") addIssue(issues, "type", ["string", "boolean"]);
    }"
  `);
});

test("a branch that tests for other types than the one that selects it has a function of its own", async () => {
  const checks = await compileFixtureChecks(`
    A: {oneOf: [{type: [string, 'null'], allOf: [{type: string, minLength: 1}]}, {type: integer}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkANull(value: unknown, issues: Issues): void {
      if (typeof value !== "string" && value !== null) addIssue(issues, "type", ["string", "null"]);
      if (typeof value !== "string") addIssue(issues, "type", "string");
      else if (value.length === 0) addIssue(issues, "length", 1);
    }

    export function checkA(value: unknown, issues: Issues): void {
      if (typeof value === "string") {
        if (typeof value !== "string" && value !== null) addIssue(issues, "type", ["string", "null"]);
        if (typeof value !== "string") addIssue(issues, "type", "string");
        else if (value.length === 0) addIssue(issues, "length", 1);
      } else if (value === null) {
        checkANull(value, issues);
      } else if (typeof value === "number" && Number.isInteger(value)) {
        if (!Number.isSafeInteger(value)) addIssue(issues, "safeInteger");
      } else addIssue(issues, "type", ["string", "null", "integer"]);
    }"
  `);
});

test("a discriminator selects the branch", async () => {
  const checks = await compileFixtureChecks(`
    A: {oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}], discriminator: {propertyName: kind}}
    B: {type: object, required: [b]}
    C: {type: object, required: [c]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "const aByKind: () => Readonly<Record<string, Check>> = () => ({ B: checkB, C: checkC });

    export function checkA(value: unknown, issues: Issues): void {
      discriminator(value, issues, "kind", aByKind());
    }

    export function checkB(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else if (!hasOwn(value, "b")) addIssueAt(issues, "b", "required");
    }

    export function checkC(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else if (!hasOwn(value, "c")) addIssueAt(issues, "c", "required");
    }"
  `);
});

test("null stands beside branches with a tag", async () => {
  const checks = await compileFixtureChecks(`
    A:
      oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}, {type: 'null'}]
      discriminator: {propertyName: kind}
    B: {type: object}
    C: {type: object}
`);
  expect(checks.slice(0, checks.indexOf("export function checkB"))).toMatchInlineSnapshot(`
    "const aByKind: () => Readonly<Record<string, Check>> = () => ({ B: checkB, C: checkC });

    export function checkA(value: unknown, issues: Issues): void {
      if (isObject(value)) {
        discriminator(value, issues, "kind", aByKind());
      } else if (value !== null) addIssue(issues, "type", ["null", "object"]);
    }

    "
  `);
});

test("a discriminator does not select a branch without a mapping", async () => {
  const checks = await compileFixtureChecks(`
    A:
      oneOf: [{$ref: '#/components/schemas/B'}, {type: object, title: Other}, {type: 'null'}]
      discriminator: {propertyName: kind}
    B: {type: object, required: [b]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAB(value: unknown, issues: Issues): void {
      checkB(value, issues);
      if (isObject(value)) {
        const kindValue = value["kind"];
        if (kindValue === undefined) addIssueAt(issues, "kind", "required");
        else if (kindValue !== "B") addIssueAt(issues, "kind", "const", "B");
      }
    }

    function checkAOther(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
    }

    function checkANull(value: unknown, issues: Issues): void {
      if (value !== null) addIssue(issues, "type", "null");
    }

    export function checkA(value: unknown, issues: Issues): void {
      oneOf(value, issues, [checkAB, checkAOther, checkANull]);
    }

    export function checkB(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else if (!hasOwn(value, "b")) addIssueAt(issues, "b", "required");
    }"
  `);
});

test("other branches are tried, and named by their titles", async () => {
  const checks = await compileFixtureChecks(`
    A: {anyOf: [{type: object, title: By id, required: [id]}, {type: object, required: [name]}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkAById(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else if (!hasOwn(value, "id")) addIssueAt(issues, "id", "required");
    }

    function checkAWithName(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else if (!hasOwn(value, "name")) addIssueAt(issues, "name", "required");
    }

    export function checkA(value: unknown, issues: Issues): void {
      anyOf(value, issues, [checkAById, checkAWithName]);
    }"
  `);
});

test("a single branch is not a union", async () => {
  const checks = await compileFixtureChecks(`
    A: {anyOf: [{type: string}], oneOf: [{maxLength: 3}]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (typeof value !== "string") addIssue(issues, "type", "string");
      if (typeof value === "string" && value.length > 3 && isLonger(value, 3)) addIssue(issues, "length", undefined, 3);
    }"
  `);
});
