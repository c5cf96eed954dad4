import { expect, test } from "vitest";
import { buildFixtureApi, withPaths } from "../../openapi/testing.js";
import { emitOpenapiTypes } from "../openapi-types/index.js";
import { renderCode } from "../printer.js";
import { deprecationTag } from "./deprecation.js";

const operationOf = async (stated: string) =>
  (
    await buildFixtureApi(
      withPaths(
        `/a: {get: {operationId: list_a, ${stated} responses: {}}}\n/b: {get: {operationId: list_b, responses: {}}}`,
      ),
    )
  ).operations[0];

test.each([
  ["", []],
  ["deprecated: true,", ["@deprecated"]],
  ["deprecated: true, x-sunset: 2027-06-30,", ["@deprecated ends 2027-06-30."]],
  ["deprecated: true, x-deprecation: {replacement: list_b},", ["@deprecated Use `listB`."]],
  [
    "deprecated: true, x-deprecation: {since: 2026-01-01, sunset: 2027-06-30, replacement: list_b, link: 'https://a.example/a'},",
    ["@deprecated since 2026-01-01, ends 2027-06-30. Use `listB`. See https://a.example/a"],
  ],
])("the tag of an operation with %j", async (stated, tag) => {
  const operation = await operationOf(stated);
  expect(operation && deprecationTag(operation)).toEqual(tag);
});

test("the types of paths have the same tag, with the operationId", () => {
  const details = { since: "2026-01-01", sunset: "2027-06-30", replacement: "list_b" };
  const get = { operationId: "list_a", deprecated: true, "x-deprecation": details, responses: {} };
  const [paths] = emitOpenapiTypes({ paths: { "/a": { get } } });
  expect(paths && renderCode(paths)).toContain("@deprecated since 2026-01-01, ends 2027-06-30. Use `list_b`.");
});
