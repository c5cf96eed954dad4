import path from "node:path";
import type { GeneratedFile } from "@plumbline/kit/codegen";
import { DiagnosticsError } from "@plumbline/kit/model";
import { loadDescription } from "@plumbline/kit/openapi";
import { buildFixtureApi, withFixtureFolder, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import type { ArtifactConfig, DescriptionConfig } from "../config/config.js";
import { createIncremental } from "../incremental/incremental.js";
import { generateArtifacts } from "./artifacts.js";

test("returns the files of a generator, also from a promise", async () => {
  const text =
    "export default { files: async (api, { package: name }) => [{ path: 'a/b.txt', text: api.title + name }] };";
  expect(await run({ "mine.mjs": text }, "./mine.mjs")).toEqual([{ path: "a/b.txt", text: "Petsmade" }]);
});

test("finds a package by its name", async () => {
  const texts = {
    "node_modules/@acme/wiki/package.json": '{"name": "@acme/wiki", "type": "module", "exports": "./made.js"}',
    "node_modules/@acme/wiki/made.js": "export default { files: () => [] };",
  };
  expect(await run(texts, "@acme/wiki")).toEqual([]);
});

test.each<readonly [string, string, string, unknown]>([
  ["throws", "() => { throw new Error('no pets'); }", "generator/failed", "mine failed: no pets. Fix ./mine.mjs."],
  ["throws later", "async () => { throw 'no pets'; }", "generator/failed", "mine failed: no pets. Fix ./mine.mjs."],
  [
    "changes the model",
    "(api) => { api.title = 'mine'; return []; }",
    "generator/failed",
    expect.stringMatching(/^mine failed: Cannot assign to read only property 'title' /),
  ],
  [
    "returns no list",
    "() => 'a'",
    "generator/schema",
    "mine does not return a list of files. Return [{ path, text }].",
  ],
  [
    "returns an invalid file",
    "() => [{ path: 'a.txt', text: 'a' }, { path: 'b.txt', text: 1 }]",
    "generator/schema",
    "Item 1 of the result of mine is not a file. Return { path, text }, both strings.",
  ],
  [
    "returns a file without a path",
    "() => [{ text: 'a' }]",
    "generator/schema",
    "Item 0 of the result of mine is not a file. Return { path, text }, both strings.",
  ],
  [
    "returns text that does not parse",
    "() => [{ path: 'a.ts', text: 'const = 1;' }]",
    "generator/text",
    expect.stringMatching(/^a\.ts does not parse: .* Fix the output of \.\/mine\.mjs\.$/),
  ],
  [
    "returns a file twice",
    "() => [{ path: 'a.txt', text: 'a' }, { path: 'a.txt', text: 'b' }]",
    "generator/path",
    "mine returns a.txt twice. Fix ./mine.mjs.",
  ],
  [
    "returns a file at the path of a folder",
    "() => [{ path: 'a/b/c.txt', text: 'c' }, { path: 'a', text: 'a' }]",
    "generator/path",
    "mine returns the file a, which is also the folder of a/b/c.txt. Fix ./mine.mjs.",
  ],
  [
    "returns text that is not valid UTF-8",
    "() => [{ path: 'a.txt', text: '\\ud800' }]",
    "generator/schema",
    "Item 0 of the result of mine is not a file. Return { path, text }, both strings.",
  ],
  ...["../a.txt", "/a.txt", "a//b.txt", "a\\b.txt", "", ".", "C:a.txt", ".plumbline.json"].map(
    (name) =>
      [
        `writes ${JSON.stringify(name)}`,
        `() => [{ path: ${JSON.stringify(name)}, text: 'a' }]`,
        "generator/path",
        `mine may not write ${JSON.stringify(name)}. Use a path below its own folder, with letters, digits, dots, hyphens and slashes.`,
      ] as const,
  ),
])("reports a generator that %s", async (_, files, code, says) => {
  expect(await diagnosticOf({ "mine.mjs": `export default { files: ${files} };` }, "./mine.mjs")).toEqual([code, says]);
});

test.each<readonly [string, string, Readonly<Record<string, string>>, string, unknown]>([
  [
    "is not there",
    "./mine.mjs",
    {},
    "generator/missing",
    "There is no file ./mine.mjs. Correct the path, which is relative to this file.",
  ],
  [
    "has no such package",
    "absent",
    {},
    "generator/missing",
    expect.stringMatching(/^The package absent cannot be found: .* or begin a path with a dot: \.\/absent\.$/),
  ],
  [
    "does not parse",
    "./mine.mjs",
    { "mine.mjs": "export default {" },
    "generator/failed",
    expect.stringMatching(/^\.\/mine\.mjs cannot be loaded: .* Fix the module\.$/),
  ],
  [
    "throws",
    "./mine.mjs",
    { "mine.mjs": "throw new Error('not today')" },
    "generator/failed",
    "./mine.mjs cannot be loaded: not today. Fix the module.",
  ],
  [
    "exports something else",
    "./mine.mjs",
    { "mine.mjs": "export const files = () => [];" },
    "generator/schema",
    "./mine.mjs does not export a generator as its default. Write export default defineGenerator({ files: (api, options) => [{ path, text }] }).",
  ],
])("reports a module that %s", async (_, module, texts, code, says) => {
  expect(await diagnosticOf(texts, module)).toEqual([code, says]);
});

/** Runs the generator of a module in a folder with these files. */
async function run(texts: Readonly<Record<string, string>>, module: string): Promise<readonly GeneratedFile[]> {
  const api = await buildFixtureApi(withPaths(""));
  return withFixtureFolder({ ...texts, "api/openapi.yaml": withPaths("") }, async (folder) => {
    const file = path.join(folder, "api", "openapi.yaml");
    const description = await loadDescription(file);
    const artifact: ArtifactConfig = {
      kind: "mine",
      package: "made",
      out: path.join(folder, "out"),
      private: false,
      sourcesOnly: false,
      importExtension: "js",
      include: undefined,
      options: {},
      location: undefined,
      generator: {
        name: "mine",
        module,
        config: path.join(folder, "plumbline.yaml"),
        location: { file: "elsewhere", pointer: "/generators/mine", line: 2, column: 3 },
      },
    };
    const config: DescriptionConfig = {
      description: file,
      overlays: [],
      boundary: undefined,
      requirements: undefined,
      nestedArrays: undefined,
      keywords: [],
      names: {},
      artifacts: [artifact],
    };
    const context = { config, descriptions: [config], description, api, incremental: createIncremental() };
    const { packages } = await generateArtifacts(context, { only: [], deferredKinds: [] });
    return packages.flatMap(({ files }) => files);
  });
}

/** The code and the text of the only problem, whose position is the entry in plumbline.yaml. */
async function diagnosticOf(texts: Readonly<Record<string, string>>, module: string): Promise<readonly string[]> {
  const error: unknown = await run(texts, module).catch((thrown: unknown) => thrown);
  if (!(error instanceof DiagnosticsError)) throw new Error("expected a DiagnosticsError", { cause: error });
  expect(error.diagnostics.map((each) => each.origin)).toEqual([
    { file: "../plumbline.yaml", pointer: "/generators/mine", line: 2, column: 3 },
  ]);
  return error.diagnostics.flatMap(({ code, message, fix = "" }) => [code, `${message} ${fix}`]);
}
