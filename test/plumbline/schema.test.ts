import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { pets, place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { readTracked } from "../support/tracked.js";

const committed: unknown = JSON.parse(readTracked("packages/plumbline/plumbline.schema.json"));

describe("the schema in the package", () => {
  it("is the one that the command prints", async () => {
    const { code, out, error } = await plumbline(["schema", "--built-in"], { in: repository });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(JSON.parse(out)).toEqual(committed);
  });

  it("accepts the configuration of Cloud Compute, and those that init writes", async () => {
    expect(issuesOf(committed, readTracked("spec/plumbline.yaml"))).toEqual([]);
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets, "package.json": "{}" });
    await plumbline(["init", "openapi.yaml", "--scope", "@pets", "--yes"], { in: folder });
    const text = await readFile(path.join(folder, "spec", "plumbline.yaml"), "utf8");
    expect(issuesOf(committed, text)).toEqual([]);
    // Editors find the schema without a network.
    expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=../node_modules/plumbline/plumbline.schema.json");
    await rm(path.join(folder, "spec"), { recursive: true });
    await plumbline(["init", "openapi.yaml", "--sources", "src/api"], { in: folder });
    expect(issuesOf(committed, await readFile(path.join(folder, "plumbline.yaml"), "utf8"))).toEqual([]);
    const { files } = JSON.parse(readTracked("packages/plumbline/package.json")) as { readonly files: string[] };
    expect(files).toContain("plumbline.schema.json");
  });
});

describe("the schema and the command agree on", () => {
  const artifacts = (each: string) =>
    `ruleset: minimal\ndescriptions: [{description: openapi.yaml, artifacts: ${each}}]\n`;

  test.each([
    ["artifacts without options", artifacts("{client: {}, server: }")],
    ["a private package", artifacts("{client: {package: '@pets/client', out: ../client, private: true}}")],
    ["sources only", artifacts("{server: {sources: ../src/api}}")],
    ["sources for any bundler", artifacts("{client: {sources: ../src/api, importExtension: none}}")],
    [
      "a part of the operations",
      artifacts("{client: {include: {tags: [pets], operations: [getPet], paths: ['/pets/*']}}}"),
    ],
    ["names", "ruleset: minimal\ndescriptions: [{description: openapi.yaml, names: {listPets: all}}]\n"],
  ])("%s, which both accept", async (_, text) => {
    expect(issuesOf(committed, text)).toEqual([]);
    expect(await lintResult(text)).toBe(0);
  });

  test.each([
    ["no descriptions", "ruleset: minimal\n"],
    ["an empty list of descriptions", "descriptions: []\n"],
    ["an unknown key at the top", `${artifacts("{}")}rulset: strict\n`],
    ["an unknown ruleset", artifacts("{}").replace("minimal", "mine")],
    ["an unknown key of a description", "descriptions: [{description: openapi.yaml, overlay: a.yaml}]\n"],
    ["a missing description", "descriptions: [{overlays: [a.yaml]}]\n"],
    ["overlays other than a list", "descriptions: [{description: openapi.yaml, overlays: a.yaml}]\n"],
    ["an overlay without a path", "descriptions: [{description: openapi.yaml, overlays: [{file: a.yaml}]}]\n"],
    ["an unknown artifact", artifacts("{sever: {}}")],
    ["an unknown key of an artifact", artifacts("{client: {pakage: a}}")],
    ["a name that npm rejects", artifacts("{client: {package: Pets}}")],
    ["a name that is too long", artifacts(`{client: {package: ${"a".repeat(215)}}}`)],
    ["a suite of sources only", artifacts("{conformance: {sources: ../src/api}}")],
    ["sources in a package", artifacts("{client: {sources: ../src/api, out: ../client}}")],
    ["sources without a path", artifacts("{client: {sources: true}}")],
    ["a package with imports of sources", artifacts("{client: {importExtension: none}}")],
    ["another extension of imports", artifacts("{client: {sources: ../src/api, importExtension: .ts}}")],
    ["a list of no tags", artifacts("{client: {include: {tags: []}}}")],
    ["no list of operations", artifacts("{client: {include: {}}}")],
    ["an unknown list of operations", artifacts("{client: {include: {tag: [pets]}}}")],
    ["an option of another artifact", artifacts("{client: {settings: a.yaml}}")],
    ["an option of a wrong type", artifacts("{conformance: {settings: [a.yaml]}}")],
    ["a generator without a module", `${artifacts("{}")}generators: {wiki: [a]}\n`],
    ["a generator with the name of an artifact", `${artifacts("{}")}generators: {client: ./a.mjs}\n`],
    ["an invalid name of a generator", `${artifacts("{}")}generators: {Wiki: ./a.mjs}\n`],
  ])("%s, which both reject", async (_, text) => {
    expect(issuesOf(committed, text)).not.toEqual([]);
    expect(await lintResult(text)).toBe(1);
  });
});

describe("the schema of a plumbline.yaml with generators", () => {
  const generator = `export default {
    options: {
      depth: { type: "integer", minimum: 1, default: 2, description: "How deep" },
      style: { type: "string", enum: ["short", "long"], description: "Which style" },
      notes: { type: "string", format: "path", description: "A text file" },
    },
    files: (api, { config }) => [{ path: "a.txt", text: String(config.depth) }],
  };\n`;
  const configuration = (options: string) =>
    `ruleset: minimal\ngenerators: {wiki: ./wiki.mjs}\ndescriptions: [{description: openapi.yaml, artifacts: {wiki: ${options}}}]\n`;

  it("has their names, and accepts any options, which the command checks", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets, "wiki.mjs": generator });
    for (const [options, isValid] of [
      ["{depth: 1, style: long, notes: a.txt}", true],
      ["{depth: 0}", false],
      ["{depth: 1.5}", false],
      ["{style: medium}", false],
      ["{notes: 1}", false],
      ["{width: 1}", false],
    ] as const) {
      const text = configuration(options);
      await place(folder, { "plumbline.yaml": text });
      const { out } = await plumbline(["schema"], { in: folder });
      expect([options, issuesOf(JSON.parse(out), text)]).toEqual([options, []]);
      expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: isValid ? 0 : 1 });
    }
  });

  it("helps to correct a file with other errors, also of its generators", async () => {
    const folder = await temporaryFolder();
    await place(folder, {
      "plumbline.yaml": "generators: {wiki: ./wiki.mjs}\ndescriptons: []\n",
    });
    const { code, out } = await plumbline(["schema"], { in: folder });
    expect(code).toBe(0);
    expect(issuesOf(JSON.parse(out), "descriptons: []\n")).not.toEqual([]);
    await place(folder, { "plumbline.yaml": "generators: {wiki: ./gone.mjs}\n" });
    expect(await plumbline(["schema"], { in: folder })).toMatchObject({ code: 0 });
    expect(await plumbline(["schema", "--spec", "openapi.yaml"], { in: folder })).toMatchObject({ code: 2 });
  });
});

const validators = new Map<unknown, ValidateFunction>();

/** The issues of a configuration, as an editor shows them. */
function issuesOf(schema: unknown, text: string): readonly string[] {
  const validate =
    validators.get(schema) ?? new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema as object);
  validators.set(schema, validate);
  validate(parse(text));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

async function lintResult(configuration: string): Promise<number | null> {
  const folder = await temporaryFolder();
  await place(folder, { "openapi.yaml": pets, "plumbline.yaml": configuration });
  return (await plumbline(["lint"], { in: folder })).code;
}
