import path from "node:path";
import { expect, test } from "vitest";
import { inFolder, type Texts } from "../model/testing.support.js";
import { circles } from "./circles.js";
import { load } from "./load.js";

async function circlesOf(texts: Texts): Promise<readonly string[]> {
  return inFolder(texts, async (folder) =>
    circles(await load(path.join(folder, "openapi.yaml"))).map(
      ({ origin, message }) => `${origin.file}:${origin.line} ${message}`,
    ),
  );
}

function chain(length: number): string {
  const links = Array.from({ length }, (_, index) => `a${index}: {$ref: '#/a${index + 1}'}\n`);
  return `${links.join("")}a${length}: 1\n`;
}

test.each<[string, Texts, readonly string[]]>([
  ["to itself", "a: {$ref: '#/a'}", ['openapi.yaml:1 The reference "#/a" leads back to itself.']],
  [
    "over another file",
    { "openapi.yaml": "a: {$ref: 'b.yaml#/b'}", "b.yaml": "b: {$ref: 'openapi.yaml#/a'}" },
    [
      'openapi.yaml:1 The reference "b.yaml#/b" leads back to itself.',
      'b.yaml:1 The reference "openapi.yaml#/a" leads back to itself.',
    ],
  ],
  [
    "through a reference on its way",
    "a: {$ref: '#/a/b'}",
    ['openapi.yaml:1 The reference "#/a/b" leads back to itself.'],
  ],
])("a reference %s has no end", async (_, texts, found) => {
  expect(await circlesOf(texts)).toEqual(found);
});

test("a hundred references lead somewhere, one more too far", async () => {
  expect(await circlesOf(chain(100))).toEqual([]);
  expect(await circlesOf(chain(101))).toEqual([
    'openapi.yaml:1 The reference "#/a1" leads through more than 100 others.',
  ]);
});

test("what a schema holds may be the schema again", async () => {
  expect(
    await circlesOf("a: {b: {$ref: '#/a'}, c: {$ref: '#/a/b'}, d: {$ref: '#/nowhere'}, e: {$ref: missing.yaml}}"),
  ).toEqual([]);
});
