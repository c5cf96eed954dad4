import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import validatorGenerator from "@plumbline/generators/validator";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";

const description = `openapi: 3.1.0
info: {title: Cards, version: 1.0.0}
paths:
  /cards:
    post:
      operationId: addCard
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}}
components:
  schemas:
    Card: {type: object, required: [number], properties: {number: {type: string, x-luhn: 16}, account: {type: string, format: iban}}}
`;

/** The options of the generator that a test sets. */
interface Config {
  readonly schemas?: boolean;
  readonly ajv?: boolean;
  readonly standard?: boolean;
  readonly formats?: readonly string[];
}

/** A generated package in a folder, beside its runtime. */
async function generate(config: Config, keywords: readonly string[] = []): Promise<string> {
  const folder = await temporaryFolder();
  await place(folder, await testGenerator(validatorGenerator, { description, config, keywords }));
  await mkdir(path.join(folder, "node_modules"));
  await symlink(path.join(repository, "node_modules", "@plumbline"), path.join(folder, "node_modules", "@plumbline"));
  return folder;
}

/** Bundles a module of the package, minified. */
async function bundle(folder: string, contents: string): Promise<{ readonly text: string; readonly bytes: number }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(folder, "src"), loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    splitting: true,
    outdir: folder,
    format: "esm",
    platform: "node",
    target: "es2022",
  });
  // The entry and its static imports; the checks of responses are another file.
  const text = outputFiles
    .filter((file) => !path.basename(file.path).startsWith("responses-"))
    .map((file) => file.text.replaceAll(/-[A-Z0-9]{8}\.js/g, ".js")) // hashes depend on the folder
    .join("\n");
  return { text, bytes: gzipSync(text, { level: 9 }).length };
}

const express = 'export { validator } from "./gen/express.js";\nexport { inputOf, addCard } from "./index.js";\n';

it("parts without an import cost nothing", async () => {
  const plain = await bundle(await generate({}), express);
  const all = await bundle(await generate({ schemas: true, ajv: true, standard: true }), express);
  // Not `toBe`, which would print both.
  expect(all.text === plain.text).toBe(true);
  for (const trace of ["$defs", "~standard", "localize", "withChecks"]) expect(plain.text).not.toContain(trace);
});

it("unlisted formats and keywords cost nothing, and listed ones little", async () => {
  const plain = await bundle(await generate({}), express);
  const custom = await bundle(await generate({ formats: ["iban"] }, ["x-luhn"]), express);
  expect(custom.text).toContain("x-luhn");
  expect(plain.text).not.toMatch(/x-luhn|Return true/);
  expect(custom.bytes - plain.bytes).toBeGreaterThan(0);
  expect(custom.bytes - plain.bytes).toBeLessThanOrEqual(1150);
});

/** What the entry of each part adds for its users, above the operation alone. */
it.each([
  ["schemas", "export { addCardSchemas } from './gen/schemas.js';", 150],
  ["standard", "export { addCardInput } from './gen/standard.js';", 3200],
  ["ajv", "export { ajvValidator } from './gen/ajv.js';", 14_350],
] as const)("%s has a budget", async (_, entry, budget) => {
  const folder = await generate({ schemas: true, ajv: true, standard: true });
  const plain = await bundle(folder, 'export { addCard } from "./index.js";\n');
  const { bytes } = await bundle(folder, `export { addCard } from "./index.js";\n${entry}`);
  expect(bytes - plain.bytes).toBeGreaterThan(0);
  expect(bytes - plain.bytes).toBeLessThanOrEqual(budget);
});
