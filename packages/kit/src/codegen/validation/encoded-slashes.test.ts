import { expect, test } from "vitest";
import { buildFixtureApi, withPaths } from "../../openapi/testing.js";
import { testOptions } from "../testing.js";
import { findSlashWarnings } from "./encoded-slashes.js";

const accepted = 'Write "x-input: {encodedSlash: true}" to accept it, or a "pattern"';

test.each([
  ["/{a}", "schema: {type: string}", accepted],
  ["/{a}", "schema: {}", accepted],
  ["/{a}", "schema: {type: [integer, string]}", accepted],
  ["/{a}", "schema: {type: string, enum: [x/y, z]}", accepted],
  ["/{a}", "schema: {type: string, pattern: '^[a-z/]+$'}", accepted],
  ["/{a}.json", "schema: {type: string}", 'Write a "pattern"'],
  ["/{a}", "style: label, schema: {type: string}", 'Write a "pattern"'],
  ["/{a}", "schema: {type: string, pattern: '^[a-z]+$'}", undefined],
  ["/{a}", "schema: {type: string, format: uuid}", undefined],
  ["/{a}", "schema: {type: string, enum: [x, y]}", undefined],
  ["/{a}", "schema: {type: integer}", undefined],
  ["/{a}", "x-input: {encodedSlash: true}, schema: {type: string}", undefined],
  ["/{a}", "x-input: {segments: 2}, schema: {type: string}", undefined],
  ["/{a}", "x-reference: {to: Pet}, schema: {type: string}", undefined],
])("a slash in %s with {%s} is reported with: %s", async (path, rules, fix) => {
  const operation = (id: string) => `{operationId: ${id}, responses: {'200': {description: ok}}}`;
  const parameters = `[{name: a, in: path, required: true, ${rules}}]`;
  const paths = `'${path}': {parameters: ${parameters}, get: ${operation("readOne")}, delete: ${operation("removeOne")}}\n`;
  const warnings = findSlashWarnings(await buildFixtureApi(withPaths(paths, "")), testOptions());
  expect(warnings.map((each) => each.fix?.split(" that ")[0])).toEqual(fix === undefined ? [] : [fix]);
});
