import { describe, expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages } from "../lint-fixture.support.js";

const size = (keywords: string) => ({ properties: `size: {${keywords}}` });

describe("values/none", () => {
  test.each([
    ["type: integer, minimum: 50, maximum: 40", "No value has minimum 50 and maximum 40."],
    ["type: integer, exclusiveMinimum: 5, maximum: 5", "No value has exclusiveMinimum 5 and maximum 5."],
    ["type: integer, minimum: 5, exclusiveMaximum: 5", "No value has minimum 5 and exclusiveMaximum 5."],
    ["type: string, minLength: 5, maxLength: 4", "No value has minLength 5 and maxLength 4."],
    ["type: array, minItems: 2, maxItems: 1, items: {type: string}", "No value has minItems 2 and maxItems 1."],
    ["type: object, minProperties: 2, maxProperties: 1", "No value has minProperties 2 and maxProperties 1."],
    ["const: long, maxLength: 3", "No value of const is valid for the keywords beside it, such as maxLength."],
    [
      "type: integer, enum: [1, 2], minimum: 3",
      "No value of enum is valid for the keywords beside it, such as minimum.",
    ],
  ])("%s", async (keywords, message) => {
    expect(await lintMessages("values/none", size(keywords))).toEqual([message]);
  });

  test.each([
    "type: integer, minimum: 5, maximum: 5",
    "type: string, minLength: 4, maxLength: 4",
    "type: integer, enum: [1, 3], minimum: 3",
    "type: [string, integer], minimum: 5, maxLength: 4",
  ])("%s is right", async (keywords) => {
    expect(await lintMessages("values/none", size(keywords))).toEqual([]);
  });
});

describe("values/default", () => {
  test.each([
    ["type: integer, maximum: 10, default: 11", "maximum"],
    ["type: integer, minimum: 1, default: 0", "minimum"],
    ["type: string, enum: [a, b], default: c", "enum"],
    ["type: string, maxLength: 3, default: long", "maxLength"],
    ["type: integer, default: '5'", "type"],
    ["type: integer, default: 1.5", "type"],
    ["type: string, default: null", "type"],
  ])("%s", async (keywords, keyword) => {
    expect(await lintMessages("values/default", size(keywords))).toEqual([`This default is not valid for ${keyword}.`]);
  });

  test.each([
    "type: integer, maximum: 10, default: 10",
    "type: number, default: 1",
    "type: string, enum: [a, b], default: b",
    "type: [string, 'null'], default: null",
    "default: {a: 1}",
  ])("%s is right", async (keywords) => {
    expect(await lintMessages("values/default", size(keywords))).toEqual([]);
  });
});

test("an exclusive bound of OpenAPI 3.0 is a flag", async () => {
  const old = (keywords: string) => buildDescription(size(keywords)).replace("openapi: 3.1.0", "openapi: 3.0.3");
  const codes = async (keywords: string) => (await lintFixture(old(keywords), "minimal")).map(({ code }) => code);
  expect(await codes("type: integer, minimum: 5, exclusiveMinimum: true, maximum: 5")).toContain("values/none");
  expect(await codes("type: integer, minimum: 5, exclusiveMinimum: false, maximum: 5")).not.toContain("values/none");
  expect(await codes("type: string, nullable: true, default: null")).not.toContain("values/default");
});

test("both are warnings in a description of others", async () => {
  const found = await lintFixture(
    buildDescription(size("type: integer, minimum: 5, maximum: 4, default: 3")),
    "minimal",
  );
  expect(found).toMatchObject([
    { code: "values/none", severity: "warning" },
    { code: "values/default", severity: "warning" },
  ]);
});
