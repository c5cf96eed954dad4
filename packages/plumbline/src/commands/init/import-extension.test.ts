import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { detectImportExtension } from "./import-extension.js";

const bundler = `{
  // What a "bundler" does: https://example.com
  "compilerOptions": {
    "moduleResolution": /* as written */ "Bundler",
    "paths": {"@/*": ["./src/*"]},
  },
}`;

test.each([
  ["js", "no file", {}],
  ["js", "no options", { "tsconfig.json": "{}" }],
  ["js", "the resolution of Node", { "tsconfig.json": '{"compilerOptions": {"module": "nodenext"}}' }],
  ["js", "a damaged file", { "tsconfig.json": '{"compilerOptions": {"moduleResolution": "bundler"}' }],
  ["none", "the resolution of bundlers", { "tsconfig.json": bundler }],
  ["none", "modules that stay as they are", { "tsconfig.json": '{"compilerOptions": {"module": "preserve"}}' }],
  [
    "ts",
    "imports of TypeScript",
    { "tsconfig.json": '{"compilerOptions": {"module": "nodenext", "allowImportingTsExtensions": true}}' },
  ],
  [
    "ts",
    "rewritten imports of TypeScript",
    { "tsconfig.json": '{"compilerOptions": {"module": "nodenext", "rewriteRelativeImportExtensions": true}}' },
  ],
])("imports have the extension %s for %s", async (extension, _, files) => {
  await withFixtureFolder(files, async (folder) => {
    expect(await detectImportExtension(folder)).toBe(extension);
  });
});
