import { expect, test } from "vitest";
import { buildFixtureApi } from "../openapi/testing.js";
import { groupByOperationFile, tagFileName } from "./tag-files.js";

test.each([
  ["Pets", "pets"],
  ["Pets & Toys", "pets-toys"],
  ["../../etc", "etc"],
  ["Café", "cafe"],
  ["宠物", "default"],
  ["", "default"],
])("the tag %j has the file %s", (tag, file) => {
  expect(tagFileName(tag)).toBe(file);
});

/** A description with an operation for each path, without tags unless one is given. */
async function fileNamesOf(paths: readonly string[], tag?: string): Promise<readonly string[]> {
  const tags = tag === undefined ? "" : `, tags: [${tag}]`;
  const items = paths.map(
    (path, index) =>
      `  ${JSON.stringify(path)}: {get: {operationId: o${index}${tags}, responses: {'200': {description: A}}}}`,
  );
  const api = await buildFixtureApi(`openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n${items.join("\n")}\n`);
  return [...groupByOperationFile(api, api.operations)].map(([file, operations]) => `${file} ${operations.length}`);
}

const numbered = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}/${index % 2 === 0 ? "even" : "odd"}/p${index}`);

test("operations without tags share a file, unless they are very many", async () => {
  const pets = numbered("/api/v1/pets", 60);
  const toys = numbered("/api/v1/toys", 102);
  expect(await fileNamesOf(pets)).toEqual(["default 60"]);
  expect(await fileNamesOf([...pets, ...toys])).toEqual(["pets 60", "toys-even 51", "toys-odd 51"]);
  expect(await fileNamesOf([...pets, ...toys], "all")).toEqual(["all 162"]);
});
