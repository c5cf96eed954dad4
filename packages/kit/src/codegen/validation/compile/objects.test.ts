import { expect, test } from "vitest";
import { compileFixtureChecks } from "./compile-fixture.support.js";

test("fields are read once, and issues have their paths", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: object, required: [id, other], properties: {id: {type: integer, minimum: 1, maximum: 9}, name: {type: string}}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const idValue = value["id"];
        if (idValue === undefined) addIssueAt(issues, "id", "required");
        else if (typeof idValue !== "number" || !Number.isInteger(idValue)) addIssueAt(issues, "id", "type", "integer");
        else if (idValue < 1 || idValue > 9) addIssueAt(issues, "id", "range", 1, 9);
        const nameValue = value["name"];
        if (nameValue !== undefined && typeof nameValue !== "string") addIssueAt(issues, "name", "type", "string");
        if (!hasOwn(value, "other")) addIssueAt(issues, "other", "required");
      }
    }"
  `);
});

test("names are checked, and fields by their names", async () => {
  const checks = await compileFixtureChecks(`
    A:
      type: object
      minProperties: 1
      propertyNames: {maxLength: 5}
      properties: {a: true}
      patternProperties: {'^x-': {type: string}}
      additionalProperties: false
`);
  expect(checks).toMatchInlineSnapshot(`
    "function checkANames(value: unknown, issues: Issues): void {
      if (typeof value === "string" && value.length > 5 && isLonger(value, 5)) addIssue(issues, "length", undefined, 5);
    }

    const aPattern: RegExp = /* @__PURE__ */ new RegExp("^x-", "u");

    const aFields: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["a"]);

    export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        if (Object.keys(value).length < 1) addIssue(issues, "fields", 1);
        for (const key of Object.keys(value)) {
          const other = value[key];
          if (!isValid(checkANames, key)) addIssueAt(issues, key, "propertyNames");
          if (aPattern.test(key) && typeof other !== "string") addIssueAt(issues, key, "type", "string");
          if (!(aFields.has(key) || aPattern.test(key))) addIssueAt(issues, key, "unknown");
        }
      }
    }"
  `);
});

test("a field asks for others", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: object, dependentRequired: {card: [address]}, dependentSchemas: {card: {required: [name]}}}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        if (hasOwn(value, "card")) {
          if (!hasOwn(value, "address")) addIssueAt(issues, "address", "dependentRequired", "card");
        }
        if (hasOwn(value, "card") && isObject(value) && !hasOwn(value, "name")) addIssueAt(issues, "name", "required");
      }
    }"
  `);
});

test("what every object inherits is not there", async () => {
  const checks = await compileFixtureChecks(`
    A: {type: object, properties: {toString: {type: string}}, required: [constructor]}
`);
  expect(checks).toMatchInlineSnapshot(`
    "export function checkA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const toStringValue = ownField(value, "toString");
        if (toStringValue !== undefined && typeof toStringValue !== "string")
          addIssueAt(issues, "toString", "type", "string");
        if (!hasOwn(value, "constructor")) addIssueAt(issues, "constructor", "required");
      }
    }"
  `);
});

test("a null may be nothing, where a field cannot be null", async () => {
  const checks = await compileFixtureChecks(
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
    "export function checkSentA(value: unknown, issues: Issues): void {
      if (!isObject(value)) addIssue(issues, "type", "object");
      else {
        const aValue = value["a"];
        if (aValue === undefined || aValue === null) addIssueAt(issues, "a", "required");
        else if (typeof aValue !== "string") addIssueAt(issues, "a", "type", "string");
        const bValue = value["b"];
        if (bValue !== undefined) {
          if (typeof bValue !== "string" && bValue !== null) addIssueAt(issues, "b", "type", ["string", "null"]);
        }
        const cValue = value["c"];
        if (cValue !== undefined && cValue !== null && typeof cValue !== "boolean")
          addIssueAt(issues, "c", "type", "boolean");
        if ((value["c"] ?? null) !== null) {
          if ((value["d"] ?? null) === null) addIssueAt(issues, "d", "dependentRequired", "c");
        }
      }
    }"
  `);
});
