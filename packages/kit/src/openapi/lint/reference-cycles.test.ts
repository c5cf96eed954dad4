import path from "node:path";
import { expect, test } from "vitest";
import { withFixtureFolder, type FixtureFiles } from "../testing.js";
import { findReferenceCycles } from "./reference-cycles.js";
import { FileResolver } from "./resolver.js";

async function cyclesIn(texts: FixtureFiles): Promise<readonly string[]> {
  return withFixtureFolder(texts, async (folder) => {
    const resolver = new FileResolver(folder, { apply: (file) => file });
    const root = await resolver.resolveDocument(null, path.join(folder, "openapi.yaml"));
    if (root instanceof Error) throw root;
    const loops = await findReferenceCycles(root, resolver);
    return loops.map(({ document, tokens, message }) => {
      return `${path.basename(document.source.absoluteRef)} ${tokens.join("/")}: ${message}`;
    });
  });
}

function chain(length: number): string {
  const links = Array.from({ length }, (_, index) => `a${index}: {$ref: '#/a${index + 1}'}\n`);
  return `${links.join("")}a${length}: 1\n`;
}

test.each<[string, FixtureFiles, readonly string[]]>([
  ["to itself", "a: {$ref: '#/a'}", ['openapi.yaml a: The reference "#/a" leads back to itself.']],
  [
    "over another file",
    { "openapi.yaml": "a: {$ref: 'b.yaml#/b'}", "b.yaml": "b: {$ref: 'openapi.yaml#/a'}" },
    [
      'openapi.yaml a: The reference "b.yaml#/b" leads back to itself.',
      'b.yaml b: The reference "openapi.yaml#/a" leads back to itself.',
    ],
  ],
  [
    "through a reference on its way",
    "a: {$ref: '#/a/b'}",
    ['openapi.yaml a: The reference "#/a/b" leads back to itself.'],
  ],
])("a reference %s has no end", async (_, texts, found) => {
  expect(await cyclesIn(texts)).toEqual(found);
});

test("a hundred references lead somewhere, one more too far", async () => {
  expect(await cyclesIn(chain(100))).toEqual([]);
  expect(await cyclesIn(chain(101))).toEqual([
    'openapi.yaml a0: The reference "#/a1" leads through more than 100 others.',
  ]);
});

test("what a schema holds may be the schema again", async () => {
  expect(
    await cyclesIn("a: {b: {$ref: '#/a'}, c: {$ref: '#/a/b'}, d: {$ref: '#/nowhere'}, e: {$ref: missing.yaml}}"),
  ).toEqual([]);
});

test("a fragment that is not a pointer does not resolve, and is not part of a cycle", async () => {
  expect(await cyclesIn({ "openapi.yaml": "a: {$ref: 'b.yaml'}", "b.yaml": "$ref: '#b'" })).toEqual([]);
});
