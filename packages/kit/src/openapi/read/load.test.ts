import path from "node:path";
import { expect, test } from "vitest";
import { DiagnosticsError, type Diagnostic } from "../../model/index.js";
import { withFixtureFolder, type FixtureFiles } from "../testing.js";
import { loadDescription } from "./load.js";

test("reads a description and every file that it refers to, whatever they refer to in turn", async () => {
  const texts = {
    "openapi.yaml": "a: {$ref: 'parts/a.yaml#/x'}\nb: {$ref: parts/b.json}\nc: {$ref: 'https://example.com/c.yaml'}\n",
    "parts/a.yaml": "x: {$ref: '../common%20words.yaml#/y'}\n",
    "parts/b.json": '{"$ref": "./a.yaml"}',
    "common words.yaml": "y: {$ref: 'openapi.yaml#/a'}\n",
    "unused.yaml": "z: 1\n",
  };
  await withFixtureFolder(texts, async (folder) => {
    const description = await loadDescription(path.join(folder, "openapi.yaml"));
    expect(description.files.map((file) => file.name)).toEqual([
      "openapi.yaml",
      "parts/a.yaml",
      "parts/b.json",
      "common words.yaml",
    ]);
    expect(description.folder).toBe(folder);
    expect(description.diagnostics).toEqual([]);
  });
});

test("names files above the description by where they stand", async () => {
  await withFixtureFolder(
    { "api/openapi.yaml": "a: {$ref: ../common.yaml}", "common.yaml": "b: 1" },
    async (folder) => {
      const { files } = await loadDescription(path.join(folder, "api/openapi.yaml"));
      expect(files.map((file) => file.name)).toEqual(["openapi.yaml", "../common.yaml"]);
    },
  );
});

test("keeps numbers, dates and the order of keys as they are written", async () => {
  await withFixtureFolder({ "openapi.yaml": "z: 2024-01-01\na: 010\nn: ~\nyes: no\n'1': 1e3\n" }, async (folder) => {
    const { root } = await loadDescription(path.join(folder, "openapi.yaml"));
    expect(
      root
        .entries()
        .filter(([key]) => key !== "1")
        .map(([key, { raw }]) => [key, raw]),
    ).toEqual([
      ["z", "2024-01-01"],
      ["a", 10],
      ["n", null],
      ["yes", "no"],
    ]);
    expect(root.number("1")).toBe(1000);
  });
});

test.each<[string, FixtureFiles, string, readonly string[]]>([
  ["a missing file", {}, "openapi.yaml", ["openapi.yaml:1:1 description/unreadable This file does not exist."]],
  [
    "a syntax error",
    "openapi: 3.1.0\ninfo: {title: x\npaths: {}\n",
    "openapi.yaml",
    [
      "openapi.yaml:3:1 description/syntax This is not valid YAML or JSON: missed comma between flow collection entries.",
    ],
  ],
  [
    "a key that stands twice",
    "a: 1\nb: 2\na: 3\n",
    "openapi.yaml",
    ["openapi.yaml:3:1 description/syntax This is not valid YAML or JSON: duplicated mapping key."],
  ],
  [
    "broken JSON",
    { "openapi.json": '{"openapi": "3.1.0",\n "info" {}}' },
    "openapi.json",
    [
      "openapi.json:2:9 description/syntax This is not valid YAML or JSON: missed comma between flow collection entries.",
    ],
  ],
  [
    "an alias to what it stands in",
    "a:\n  b: &b\n    - c: *b\n",
    "openapi.yaml",
    ["openapi.yaml:3:7 description/syntax This contains itself through a YAML alias."],
  ],
])("says of %s where and what", async (_, texts, name, found) => {
  await withFixtureFolder(texts, async (folder) => {
    expect(await loadDescription(path.join(folder, name)).catch(diagnosticLines)).toEqual(found);
  });
});

test("says of a folder that it cannot be read", async () => {
  await withFixtureFolder({ "spec/openapi.yaml": "a: 1" }, async (folder) => {
    const [diagnostic] = (await loadDescription(path.join(folder, "spec")).catch(diagnosticLines)) as readonly string[];
    expect(diagnostic).toMatch(/^spec:1:1 description\/unreadable This file cannot be read: it is a folder\.$/);
  });
});

test("reports a broken file where a reference to it is followed, and reads the others", async () => {
  await withFixtureFolder(
    { "openapi.yaml": "a: {$ref: a.yaml}\nb: {$ref: b.yaml}\n", "a.yaml": "x: [", "b.yaml": "y: 1" },
    async (folder) => {
      const description = await loadDescription(path.join(folder, "openapi.yaml"));
      expect(description.files.map((file) => file.name)).toEqual(["openapi.yaml", "b.yaml"]);
      expect(description.diagnostics).toEqual([]);
      description.root.get("a");
      expect(description.diagnostics.map(line)).toEqual([
        expect.stringMatching(/^a\.yaml:1:5 description\/syntax /),
        'openapi.yaml:1:1 openapi/no-unresolved-refs The reference "a.yaml" names a file that cannot be read.',
      ]);
    },
  );
});

test("nodes that aliases share are not a circle", async () => {
  await withFixtureFolder({ "openapi.yaml": "a: &a {b: 1}\nc: [*a, *a]\n" }, async (folder) => {
    const { root } = await loadDescription(path.join(folder, "openapi.yaml"));
    expect(root.raw).toEqual({ a: { b: 1 }, c: [{ b: 1 }, { b: 1 }] });
  });
});

function diagnosticLines(error: unknown): readonly string[] {
  if (!(error instanceof DiagnosticsError)) throw error;
  return error.diagnostics.map(line);
}

function line({ code, message, origin: { file, line: at, column } }: Diagnostic): string {
  return `${file}:${at}:${column} ${code} ${message}`;
}
