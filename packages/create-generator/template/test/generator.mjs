// @ts-check
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { testGenerator } from "@plumbline/codegen/testing";
import generator from "../generator.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const golden = join(root, "golden");

test("the generator generates the files in golden/", async () => {
  const description = await readFile(join(root, "example", "openapi.yaml"), "utf8");
  const files = await testGenerator(generator, { description });
  if (process.argv.includes("--update")) await writeGolden(files); // npm run update
  assert.deepEqual(files, await readGolden());
});

test("an option changes the heading", async () => {
  const description = await readFile(join(root, "example", "openapi.yaml"), "utf8");
  const files = await testGenerator(generator, { description, config: { heading: "Paths" } });
  assert.match(files["routes.md"] ?? "", /^# Paths of /);
});

/** @param {Readonly<Record<string, string>>} files */
async function writeGolden(files) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(golden, path)), { recursive: true });
    await writeFile(join(golden, path), text);
  }
}

async function readGolden() {
  const entries = await readdir(golden, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map(async (file) => [relative(golden, file).replaceAll("\\", "/"), await readFile(file, "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}
