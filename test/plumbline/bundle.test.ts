import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const files = {
  "openapi.yaml": `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
servers: [{url: https://pets.example}]
paths: {/pets: {$ref: 'pets/paths.yaml#/pets'}}
`,
  "pets/paths.yaml": `pets:
  get:
    operationId: listPets
    x-limits: [{id: reads, kind: rate, max: 1, window: PT1S}]
    responses: {'200': {description: All., content: {application/json: {schema: {$ref: 'schemas.yaml#/Pets'}}}}}
`,
  "pets/schemas.yaml": "Pets: {type: array, items: {type: string, examples: [Rex]}}\n",
  "names.overlay.yaml": `overlay: 1.0.0
info: {title: Names, version: '1'}
actions: [{target: $.info, update: {title: Dogs}}]
`,
};

async function pets(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, "pets"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

test("a description becomes one document, with its overlays and samples, as JSON and as YAML", async () => {
  const folder = await pets();
  const args = ["bundle", "openapi.yaml", "--overlay", "names.overlay.yaml", "--client", "@pets/client"];
  const { code, out, error } = await plumbline(args, { in: folder });
  expect({ code, error }).toEqual({ code: 0, error: "" });
  const document = JSON.parse(out) as Readonly<Record<string, unknown>>;
  expect(document).toMatchObject({
    info: { title: "Dogs" },
    paths: {
      "/pets": {
        get: {
          "x-limits": [{ id: "reads" }],
          "x-codeSamples": [
            { lang: "Shell", label: "curl", source: "curl 'https://pets.example/pets'" },
            { lang: "JavaScript", label: "fetch" },
            { lang: "TypeScript", label: "client", source: expect.stringContaining('from "@pets/client"') as string },
          ],
          responses: { "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Pets" } } } } },
        },
      },
    },
    components: { schemas: { Pets: { items: { examples: ["Rex"] } } } },
  });
  expect(await plumbline([...args, "-o", "dist/dogs.yaml"], { in: folder })).toMatchObject({ code: 0, out: "" });
  const yaml = await readFile(path.join(folder, "dist", "dogs.yaml"), "utf8");
  expect(parse(yaml)).toEqual(document);
  expect(yaml).toMatch(/^openapi: 3\.1\.0\ninfo:\n {2}title: Dogs\n/);
});

test("it has no extension fields where other tools reject them", async () => {
  const { out } = await plumbline(["bundle", "openapi.yaml", "--without-extensions"], { in: await pets() });
  expect(out).toContain('"operationId": "listPets"');
  expect(out).not.toContain('"x-');
});

test("an invalid description and an unknown format are reported", async () => {
  const folder = await pets();
  expect(await plumbline(["bundle", "openapi.yaml", "--format", "toml"], { in: folder })).toMatchObject({
    code: 2,
    out: "",
    error: expect.stringContaining('--format is one of json, yaml, not "toml".') as string,
  });
  await writeFile(path.join(folder, "pets", "schemas.yaml"), "Cats: {type: array}\n");
  expect(await plumbline(["bundle", "openapi.yaml", "-o", "out.json"], { in: folder })).toMatchObject({
    code: 1,
    error: expect.stringContaining("pets/paths.yaml") as string,
  });
});
