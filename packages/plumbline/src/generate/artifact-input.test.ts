import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { DiagnosticsError } from "@plumbline/kit/model";
import { withFixtureFolder, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { lintInProcess } from "../../../kit/src/openapi/lint/lint-in-process.support.js";
import { artifactKinds } from "../artifact-kinds.js";
import { readConfig } from "../config/config.js";
import { runPipeline } from "../pipeline.js";

const pets = withPaths(`
/pets:
  get:
    operationId: listPets
    tags: [pets]
    responses: {'200': {description: All., content: {application/json: {schema: {$ref: 'pet.yaml#/Pet'}}}}}
`);
const texts = {
  "openapi.yaml": pets,
  "pet.yaml": "Pet: {type: object, properties: {name: {type: string}}}\n",
  "controls.yaml": pets.replace("listPets", "listClocks"),
  "mine/notes/a.md": "# A\n",
  "toys.yaml": `overlay: 1.0.0
info: {title: Toys, version: '1'}
actions:
  - target: $
    update:
      tags: [{name: toys}]
      paths:
        /toys: {get: {operationId: listToys, tags: [toys], responses: {'200': {description: All., content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}}}
        /toys/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get: {operationId: getToy, tags: [shelf], responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}}
          delete: {operationId: dropToy, tags: [shelf], responses: {'204': {description: Dropped.}}}
      components: {schemas: {Toy: {type: object}, Unused: {type: string}}}
`,
  "names.yaml": `overlay: 1.0.0
info: {title: Names, version: '1'}
actions: [{target: "$.paths['/pets'].get", update: {operationId: readClocks}}]
`,
};

test("options have the values of plumbline.yaml or their defaults, and paths are absolute", async () => {
  const options = `{
    heading: { type: "string", default: "Pets", description: "The heading" },
    pages: { type: "integer", minimum: 1, default: 3, description: "The number of pages" },
    file: { type: "string", format: "path", description: "A file" },
    draft: { type: "boolean", default: false, description: "Whether it is a draft" },
    tags: { type: "array", items: { type: "string" }, default: [], description: "Tags" },
  }`;
  const module = `export default { options: ${options}, files: (api, { config }) => [{ path: "a.txt", text: JSON.stringify(config) }] };`;
  expect(await generate(module, "pages: 4, file: notes/a.md")).toBe(
    JSON.stringify({ heading: "Pets", pages: 4, file: "/notes/a.md", draft: false, tags: [] }),
  );
  expect(await generate(module, "pages: 0, heading: [a], colour: red")).toEqual([
    "plumbline.yaml:4:25 config/value The option `pages` is less than 1.",
    "plumbline.yaml:4:35 config/value The option `heading` is not a text.",
    'plumbline.yaml:4:49 config/unknown Unknown key "colour".',
  ]);
});

test.each(["generate", "lint"])("a format that no schema has is an error at its place: %s", async (command) => {
  const config =
    "ruleset: minimal\ndescriptions:\n  - {description: openapi.yaml, artifacts: {validator: {out: mine, formats: [ibn]}}}\n";
  await withFixtureFolder({ ...texts, "plumbline.yaml": config }, async (folder) => {
    const spec = path.join(folder, "plumbline.yaml");
    const read = await readConfig({ spec, out: undefined, from: folder, artifactKinds });
    const { rejected } = await runPipeline(read, {
      ...(command === "generate" && { only: ["validator"] }),
      startLinting: lintInProcess,
    });
    expect(rejected.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([
      {
        code: "config/value",
        origin: { file: "plumbline.yaml", line: 3 },
        message: 'The option `formats` lists "ibn", which no schema of the description has.',
      },
    ]);
  });
});

test("operations to include that do not exist are errors with a suggestion, also without generation", async () => {
  const config = `ruleset: minimal
descriptions:
  - {description: openapi.yaml, artifacts: {client: {include: {tags: [pet], paths: [/x/**]}}}}
`;
  await withFixtureFolder({ ...texts, "plumbline.yaml": config }, async (folder) => {
    const spec = path.join(folder, "plumbline.yaml");
    const read = await readConfig({ spec, out: undefined, from: folder, artifactKinds });
    const { rejected } = await runPipeline(read, { startLinting: lintInProcess });
    expect(rejected.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([
      { origin: { file: "plumbline.yaml", line: 3, column: 71 }, fix: 'Did you mean "pets"?' },
      { origin: { file: "plumbline.yaml", line: 3, column: 85 }, fix: "The paths are /pets." },
    ]);
  });
});

test("the folder of the artifact is read, relative to the description", async () => {
  const module = `export default {
    read: async (api, { output }) => [output.folder, await output.readText("notes/a.md"), await output.readText("b.md")],
    files: (api, { input }) => [{ path: "a.txt", text: JSON.stringify(input) }],
  };`;
  expect(await generate(module, "")).toBe('["mine","# A\\n",null]');
});

test("another description is read with its overlays", async () => {
  const module = `export default {
    options: { controls: { type: "string", format: "path", description: "The controls" } },
    read: async (api, { config, readApi }) => (await readApi(config.controls)).operations.map(({ name }) => name),
    files: (api, { input }) => [{ path: "a.txt", text: input.join() }],
  };`;
  expect(await generate(module, "controls: controls.yaml")).toBe("readClocks");
});

test("the document has overlays, and no references to other files", async () => {
  const module = `export default {
    files: async (api, { document }) => [{ path: "a.txt", text: JSON.stringify(await document()) }],
  };`;
  const document = JSON.parse(String(await generate(module, "", "overlays: [names.yaml],"))) as {
    readonly paths: { readonly "/pets": { readonly get: object } };
  };
  expect(document.paths["/pets"].get).toMatchObject({
    operationId: "readClocks",
    responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } } },
  });
  expect(document).toMatchObject({ components: { schemas: { Pet: { type: "object" } } } });
});

test("an artifact has the operations and the part of the document that it includes", async () => {
  const module = `export default {
    files: async (api, { document }) => {
      const { paths, components, tags } = await document();
      const names = [...api.operations, ...api.schemas].map(({ name }) => name);
      return [{ path: "a.txt", text: JSON.stringify([names, paths, components, tags]) }];
    },
  };`;
  const part = async (include: string) =>
    JSON.parse(String(await generate(module, `include: {${include}}`, "overlays: [toys.yaml],"))) as unknown[];
  const toys = { get: { operationId: "listToys", tags: ["toys"] } };
  for (const include of ["tags: [toys]", "operations: [listToys]", "paths: [/toys]"])
    expect(await part(include)).toMatchObject([
      ["listToys", "Toy"],
      { "/toys": toys },
      { schemas: { Toy: { type: "object" } } },
      [{ name: "toys" }],
    ]);
  expect((await part("paths: ['/toys/**']"))[0]).toEqual(["listToys", "getToy", "dropToy", "Toy"]);
  expect((await part("paths: [/toys/*]"))[0]).toEqual(["getToy", "dropToy", "Toy"]);
  expect(await part("operations: [dropToy], tags: [pets]")).toMatchObject([
    ["listPets", "dropToy", "Pet"],
    { "/pets": {}, "/toys/{id}": { delete: {} } },
    { schemas: { Pet: { type: "object" } } },
    [],
  ]);
  expect(
    await generate(module, "include: {tags: [pet, pets], operations: [findPets], paths: [/pets/*, /x/**]}"),
  ).toEqual([
    'plumbline.yaml:4:42 config/value No operation has the tag "pet".',
    'plumbline.yaml:4:67 config/value There is no operation "findPets".',
    'plumbline.yaml:4:86 config/value No operation has the path "/pets/*".',
    'plumbline.yaml:4:95 config/value No operation has the path "/x/**".',
  ]);
});

test("a generator uses the data of another artifact", async () => {
  const module = `export default {
    inputs: ["conformance"],
    files: (api, { artifacts }) => [{ path: "a.txt", text: String(artifacts.conformance.cases.length > 0) }],
  };`;
  expect(await generate(module, "", "", "conformance: {out: suite}")).toBe("true");
  expect(await generate(module, "")).toEqual([
    "plumbline.yaml:1:14 generator/inputs The artifact mine uses the artifact conformance, which this description does not have.",
  ]);
  expect(await generate(module.replace('"conformance"', '"mine"'), "")).toEqual([
    "plumbline.yaml:1:14 generator/inputs The artifacts mine, mine use each other.",
  ]);
});

test("a generator uses the data of another artifact where the description has it", async () => {
  const module = `export default {
    optionalInputs: ["conformance"],
    files: (api, { artifacts }) => [{ path: "a.txt", text: Object.keys(artifacts).join() }],
  };`;
  expect(await generate(module, "", "", "conformance: {out: suite}")).toBe("conformance");
  expect(await generate(module, "")).toBe("");
  expect(await generate(module.replace('"conformance"', '"mine"'), "")).toBe("");
});

test("a generator uses the files of built-in artifacts, which the description need not have", async () => {
  const module = `export default {
    files: async (api, { generateFiles }) => {
      const files = await generateFiles("mock", { package: "@pets/mock", config: { server: "@pets/backend" } });
      const mock = files.find(({ path }) => path === "src/gen/mock.ts");
      return [{ path: "a.txt", text: /from "(@pets.*)"/.exec(mock.text)[1] }];
    },
  };`;
  expect(await generate(module, "")).toBe("@pets/backend");
  expect(await generate(module.replace('"mock",', '"mocks",'), "")).toEqual([
    "plumbline.yaml:1:14 generator/failed mine failed: Unknown artifact mocks.",
  ]);
});

test("a generator may report positions of the description", async () => {
  const module = `export default {
    files: (api, { locate }) => {
      throw Object.assign(new Error("no"), { name: "DiagnosticsError", diagnostics: [{ code: "mine/no", severity: "error", origin: locate(api.operations[0].origin), message: "No." }] });
    },
  };`;
  expect(await generate(module, "")).toEqual(["openapi.yaml:5:5 mine/no No."]);
});

test.each([
  ["package.json", "openapi.yaml", "openapi.yaml"],
  ["package.json", "api/spec/openapi.yaml", "api/spec/openapi.yaml"],
  ["api/package.json", "api/spec/openapi.yaml", "spec/openapi.yaml"],
  [".git", "spec/openapi.yaml", "spec/openapi.yaml"],
])("generated files mention the description from the folder of %s: %s", async (marker, description, expected) => {
  await withFixtureFolder({}, async (folder) => {
    const outputs = ["one", "another"].map(async (checkout) => {
      const root = path.join(folder, checkout);
      const file = path.join(root, description);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(path.join(root, marker), "{}");
      await writeFile(file, pets.replace("$ref: 'pet.yaml#/Pet'", "type: object"));
      const config = await readConfig({ spec: file, out: "out", from: root, artifactKinds, artifacts: ["validator"] });
      const { results, rejected } = await runPipeline(config, { only: ["validator"], startLinting: lintInProcess });
      expect(rejected).toEqual([]);
      const files = results.flatMap(({ packages }) => packages.flatMap((each) => each.files));
      const sources = files.flatMap((each) => ("text" in each && each.path.endsWith(".ts") ? [each.text] : []));
      const banner = `// Generated by plumbline from ${expected}. Do not edit.\n\n`;
      expect(sources.filter((text) => !text.startsWith(banner))).toEqual([]);
      return sources.join("\n");
    });
    const [one = "", another] = await Promise.all(outputs);
    expect(one).toBe(another);
    expect(one).toContain(`From ${expected}#/paths/~1pets/get`);
  });
});

test("sources of a generator of one's own begin with the banner, but for programs with an interpreter", async () => {
  const of = (file: string, text: string) =>
    generate(`export default { files: () => [${JSON.stringify({ path: file, text })}] };`, "");
  expect(await of("a.ts", "export const a = 1;\n")).toBe(
    "// Generated by plumbline from openapi.yaml. Do not edit.\n\nexport const a = 1;\n",
  );
  expect(await of("a.mjs", "#!/usr/bin/env node\n")).toBe("#!/usr/bin/env node\n");
  expect(await of("a.md", "# A\n")).toBe("# A\n");
});

/** Generates the artifact `mine` of a module. Returns the text of its only file, or its diagnostics. */
async function generate(
  module: string,
  options: string,
  overlays = "",
  others = "",
): Promise<string | readonly string[]> {
  const config = `generators: {mine: ./mine.mjs}
descriptions:
  - {description: openapi.yaml, ${overlays} artifacts: {
      mine: {out: mine, ${options}}, ${others}}}
  - {description: controls.yaml, overlays: [names.yaml]}
ruleset: minimal
`;
  return withFixtureFolder({ ...texts, "mine.mjs": module, "plumbline.yaml": config }, async (folder) => {
    const read = await readConfig({
      spec: path.join(folder, "plumbline.yaml"),
      out: undefined,
      from: folder,
      artifactKinds,
    });
    const { results, rejected } = await runPipeline(read, { only: ["mine"], startLinting: lintInProcess });
    if (rejected.length > 0)
      return rejected.flatMap(({ diagnostics }) =>
        diagnostics.map(
          ({ code, message, origin: { file, line, column } }) => `${file}:${line}:${column} ${code} ${message}`,
        ),
      );
    const [file] = results.flatMap(({ packages }) => packages.flatMap(({ files }) => files));
    if (file === undefined || !("text" in file)) throw new DiagnosticsError([]);
    return file.text.replaceAll(folder, "");
  });
}
