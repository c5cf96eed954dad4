import path from "node:path";
import { describe, expect, test } from "vitest";
import { withFixtureFolder, type FixtureFiles } from "../testing.js";
import { loadDescription } from "./load.js";
import { parsePointer, formatPointer, type SpecNode } from "./spec-node.js";

describe("references", () => {
  test.each<[string, FixtureFiles, string]>([
    ["within the file", "a: {$ref: '#/b/c'}\nb: {c: 1}\n", "openapi.yaml#/b/c = 1"],
    ["to the whole file", "a: {$ref: '#'}\n", 'openapi.yaml# = {"a":{"$ref":"#"}}'],
    ["to another file", { "openapi.yaml": "a: {$ref: 'x/y.yaml#/b'}", "x/y.yaml": "b: 1" }, "x/y.yaml#/b = 1"],
    ["to another whole file", { "openapi.yaml": "a: {$ref: './x/y.yaml'}", "x/y.yaml": "b: 1" }, 'x/y.yaml# = {"b":1}'],
    [
      "over several files, each path relative to its own",
      { "openapi.yaml": "a: {$ref: 'x/y.yaml#/b'}", "x/y.yaml": "b: {$ref: z.yaml}", "x/z.yaml": "1" },
      "x/z.yaml# = 1",
    ],
    [
      "to keys with slashes, tildes, percents and spaces",
      "a: {$ref: '#/b~1c~0d/e%20f/g%25/~01'}\n'b/c~d': {e f: {g%: {'~1': 1}}}\n",
      "openapi.yaml#/b~1c~0d/e f/g%/~01 = 1",
    ],
    ["with a percent that escapes nothing", "a: {$ref: '#/100%'}\n'100%': 1\n", "openapi.yaml#/100% = 1"],
    ["to an item of a list", "a: {$ref: '#/b/1'}\nb: [0, 1]\n", "openapi.yaml#/b/1 = 1"],
    ["to an empty key", "a: {$ref: '#/'}\n'': 1\n", "openapi.yaml#/ = 1"],
    ["to what a YAML alias shares", "a: {$ref: '#/c/d'}\nb: &b {d: 1}\nc: *b\n", "openapi.yaml#/c/d = 1"],
    ["to the own key __proto__", "a: {$ref: '#/__proto__/b'}\n__proto__: {b: 1}\n", "openapi.yaml#/__proto__/b = 1"],
  ])("%s are followed", async (_, texts, end) => {
    await nodeAt(texts, "a", ({ place, problems: diagnostics }) => {
      const found = place.follow();
      expect(`${found?.key} = ${JSON.stringify(found?.raw)}`).toBe(end);
      expect(diagnostics()).toEqual([]);
    });
  });

  test.each<[string, FixtureFiles, string]>([
    ["nothing", "a: {$ref: '#/b/c'}\nb: {}\n", 'The reference "#/b/c" names nothing: there is no "c".'],
    [
      "what only a prototype has",
      "a: {$ref: '#/b/constructor'}\nb: {}\n",
      'The reference "#/b/constructor" names nothing: there is no "constructor".',
    ],
    [
      "what only JavaScript gives a list",
      "a: {$ref: '#/b/length'}\nb: []\n",
      'The reference "#/b/length" names nothing: there is no "length".',
    ],
    ["beyond a list", "a: {$ref: '#/b/1'}\nb: [0]\n", 'The reference "#/b/1" names nothing: there is no "1".'],
    ["a file that is not there", "a: {$ref: b.yaml}\n", 'The reference "b.yaml" names a file that cannot be read.'],
    [
      "a file whose name cannot be",
      "a: {$ref: '100%.yaml'}\n",
      'The reference "100%.yaml" names a file that cannot be read.',
    ],
    ["a text of another kind", "a: {$ref: b.md}\n", 'The reference "b.md" names no file of a description.'],
    [
      "the network",
      "a: {$ref: 'https://example.com/b.yaml'}\n",
      'The reference "https://example.com/b.yaml" names something outside this machine.',
    ],
    ["no pointer", "a: {$ref: '#b'}\n", 'The reference "#b" has no JSON pointer after the #.'],
    ["itself", "a: {$ref: '#/a'}\n", 'The reference "#/a" leads back to itself.'],
    ["a circle", "a: {$ref: '#/b'}\nb: {$ref: '#/a'}\n", 'The reference "#/b" leads back to itself.'],
    [
      "a circle over files",
      { "openapi.yaml": "a: {$ref: b.yaml}", "b.yaml": "$ref: 'openapi.yaml#/a'" },
      'The reference "b.yaml" leads back to itself.',
    ],
  ])("to %s are reported once", async (_, texts, message) => {
    await nodeAt(texts, "a", ({ place, problems: diagnostics }) => {
      expect(place.follow()).toBeUndefined();
      expect(place.follow()).toBeUndefined();
      expect(diagnostics()).toEqual([`openapi.yaml:1:1 ${message}`]);
    });
  });
});

describe("children", () => {
  test("of an object, of a list, and of neither", async () => {
    await nodeAt("a: {b: {$ref: '#/c'}, d: [1, x], e: null}\nc: 2\n", "a", ({ place }) => {
      expect(place.entries().map(([key, child]) => [key, child.raw])).toEqual([
        ["b", { $ref: "#/c" }],
        ["d", [1, "x"]],
        ["e", null],
      ]);
      expect(place.get("b")?.raw).toBe(2);
      expect(place.child("b")?.reference).toBe("#/c");
      expect(
        place
          .get("d")
          ?.items()
          .map((item) => item.key),
      ).toEqual(["openapi.yaml#/a/d/0", "openapi.yaml#/a/d/1"]);
      expect(place.get("d")?.child(1)?.raw).toBe("x");
      expect(place.get("d")?.child(2)).toBeUndefined();
      expect(place.get("e")?.entries()).toEqual([]);
      expect(place.child("toString")).toBeUndefined();
    });
  });

  test("are given only as what they are", async () => {
    await nodeAt("a: {text: b, number: 1, flag: true, other: 'true'}\n", "a", ({ place }) => {
      expect([place.text("text"), place.text("number"), place.text("toString")]).toEqual(["b", undefined, undefined]);
      expect([place.number("number"), place.number("text")]).toEqual([1, undefined]);
      expect([place.isTrue("flag"), place.isTrue("other"), place.isTrue("missing")]).toEqual([true, false, false]);
    });
  });
});

test("a place says where it is and what it is called there", async () => {
  await nodeAt(
    { "openapi.yaml": "a:\n  b/c: {$ref: parts/long.name.yaml}\n", "parts/long.name.yaml": "\nd: 1\n" },
    "a",
    ({ place }) => {
      const inner = place.child("b/c");
      expect(inner?.located).toEqual({ file: "openapi.yaml", pointer: "/a/b~1c", line: 2, column: 3 });
      expect(inner?.name).toBe("b/c");
      expect(inner?.follow()?.name).toBe("long.name");
      expect(inner?.get("d")).toBeUndefined(); // the node itself only contains a reference
      expect(inner?.follow()?.get("d")?.located).toEqual({
        file: "parts/long.name.yaml",
        pointer: "/d",
        line: 2,
        column: 1,
      });
    },
  );
});

test("pointers are read as they are written", () => {
  for (const tokens of [[], [""], ["a", "b/c", "~", "~1", "ä"]])
    expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
  expect(parsePointer("a/b")).toBeUndefined();
});

interface NodeFixture {
  readonly place: SpecNode;
  readonly problems: () => readonly string[];
}

/** Returns the node of a key, with the diagnostics that are added later. */
async function nodeAt(texts: FixtureFiles, key: string, story: (found: NodeFixture) => void): Promise<void> {
  await withFixtureFolder(texts, async (folder) => {
    const { root, diagnostics } = await loadDescription(path.join(folder, "openapi.yaml"));
    const place = root.child(key);
    if (place === undefined) throw new Error(`the description has no ${key}`);
    story({
      place,
      problems: () =>
        diagnostics.map(({ message, origin }) => `${origin.file}:${origin.line}:${origin.column} ${message}`),
    });
  });
}
