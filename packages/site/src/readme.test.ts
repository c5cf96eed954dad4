import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { generateSite } from "./readme.support.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../README.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/site"));
});

test("the README's example works, and generates the files of its table", async () => {
  const files = await generateSite(`openapi: 3.1.0
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
  expect(files["index.html"]).toContain("Pet shop");
  expect(files["operations/getPet.html"]).toContain("@pets/client");
  const page = await read("../README.md");
  const [table = ""] = /^\| file [^]*?\n\n/m.exec(page) ?? [];
  // This description has no extension fields: what only they state has no page.
  const absent = ["access.html", "changes.html", "coverage/", "errors.html", "limits.html", "lists.html", "states/"];
  const missing = [...table.matchAll(/`([\w./]+)`/g)]
    .map(([, name = ""]) => name)
    .filter(
      (name) => !Object.keys(files).some((file) => file === name || file.startsWith(name) || file.endsWith(`/${name}`)),
    );
  expect(missing.toSorted()).toEqual(absent);
});
