import path from "node:path";
import { expect, it } from "vitest";
import { defineGenerator } from "./generator.js";
import { testGenerator } from "./testing.js";

const description = `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets: {$ref: pets.yaml}
`;
const pets = "get: {operationId: list pets, responses: {'200': {description: All of them.}}}\n";

it("a generator gets its defaults, and its files are formatted", async () => {
  const generator = defineGenerator({
    options: { heading: { type: "string", default: "Routes", description: "The first line" } },
    files: (api, { config, package: name, source }) => [
      { path: "a.md", text: `#   ${config.heading} of ${api.title}\n` },
      { path: "b.txt", text: [name, source(api.origin)].join("\n") },
      { path: "package.json", managedKeys: { name }, defaults: { version: "0.1.0" } },
    ],
  });
  const texts = { "openapi.yaml": description, "pets.yaml": pets };
  expect(await testGenerator(generator, { description: texts })).toEqual({
    "a.md": "# Routes of Pets\n",
    "b.txt": "@example/artifact\nspec/openapi.yaml#",
    "package.json": '{\n  "name": "@example/artifact",\n  "version": "0.1.0"\n}\n',
  });
  const other = await testGenerator(generator, { description: texts, config: { heading: "Paths" }, package: "pets" });
  expect([other["a.md"], other["b.txt"]]).toEqual(["# Paths of Pets\n", "pets\nspec/openapi.yaml#"]);
});

it("a generator reads files and the document beside the description, as in a run", async () => {
  const generator = defineGenerator({
    options: { notes: { type: "string", format: "path", description: "A text file" } },
    read: async (_, { config, readText, readApi }) => ({
      isAbsolute: path.isAbsolute(config.notes ?? ""),
      notes: await readText(config.notes ?? ""),
      other: (await readApi(path.join(path.dirname(config.notes ?? ""), "other.yaml"))).title,
    }),
    files: async (_, { input, document }) => [
      { path: "a.json", text: JSON.stringify({ ...input, paths: (await document())["paths"] }) },
    ],
  });
  const texts = {
    "openapi.yaml": description,
    "pets.yaml": pets,
    "notes.txt": "bring food",
    "other.yaml": "openapi: 3.1.0\ninfo: {title: Other, version: '1'}\npaths: {}\n",
  };
  const files = await testGenerator(generator, { description: texts, config: { notes: "notes.txt" } });
  const get = { operationId: "list pets", responses: { "200": { description: "All of them." } } };
  expect(JSON.parse(files["a.json"] ?? "")).toEqual({
    isAbsolute: true,
    notes: "bring food",
    other: "Other",
    paths: { "/pets": { get } },
  });
  const given = await testGenerator(generator, {
    description: texts,
    input: { isAbsolute: false, notes: "none", other: "none" },
  });
  expect(JSON.parse(given["a.json"] ?? "")).toMatchObject({ notes: "none" });
});

it("a generator reads its own folder, and files of the user stay as they are written", async () => {
  const generator = defineGenerator({
    read: async (_api, { output }) => [output.folder, await output.readText("a.ts"), await output.readText("b.ts")],
    files: (_api, { input: [folder, text = "", missing] }) => [
      { path: "a.ts", original: text, text: `${text}// ${folder}, ${missing}` },
    ],
  });
  const output = { "a.ts": "const  a = 1\n" };
  expect(
    await testGenerator(generator, { description: { "openapi.yaml": description, "pets.yaml": pets }, output }),
  ).toEqual({
    "a.ts": "const  a = 1\n// artifact, undefined",
  });
});

it("an invalid description is rejected with its diagnostics", async () => {
  const generator = defineGenerator({ files: () => [] });
  const texts = { "openapi.yaml": description, "pets.yaml": "get: {responses: {'200': {$ref: '#/missing'}}}\n" };
  await expect(testGenerator(generator, { description: texts })).rejects.toMatchObject({
    diagnostics: [{ origin: { file: "pets.yaml" } }],
  });
});
