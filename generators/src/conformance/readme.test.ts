import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { generateSuite } from "./readme.support.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/conformance.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/generators/conformance"));
});

test("the README's example works, and generates the files of its table", async () => {
  const files = await generateSuite(`openapi: 3.1.0
info: {title: Pet shop, version: 1.0.0}
servers: [{url: https://pets.example}]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [pets]
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
components: {schemas: {Pet: {type: object, required: [id], properties: {id: {type: integer}}}}}
`);
  expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ name: "@pets/conformance" });
  expect(files["data/operations.jsonl"]).toContain("getPet");
  const page = await read("../../docs/conformance.md");
  const [table = ""] = /^\| file [^]*?\n\n/m.exec(page) ?? [];
  const missing = [...table.matchAll(/`([\w./]+)`/g)]
    .map(([, name = ""]) => name.replace("TAG", "pets"))
    .filter(
      (name) => !Object.keys(files).some((file) => file === name || file.startsWith(name) || file.endsWith(`/${name}`)),
    );
  expect(missing).toEqual([]);
});
