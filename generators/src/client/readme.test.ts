import { readFile } from "node:fs/promises";
import { withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { generateClient as generateFiles } from "./generate-client.support.js";
import { generateClient } from "./readme.support.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/client.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/generators/client"));
});

test("the README's example works, and generates the files of its table", async () => {
  const files = await generateClient(`openapi: 3.1.0
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
  expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ name: "@pets/client" });
  expect(files["src/gen/operations/pets.ts"]).toContain("getPet");
  const page = await read("../../docs/client.md");
  const [table = ""] = /^\| file [^]*?\n\n/m.exec(page) ?? [];
  const missing = [...table.matchAll(/`([\w./]+)`/g)]
    .map(([, name = ""]) => name.replace("TAG", "pets"))
    .filter(
      (name) => !Object.keys(files).some((file) => file === name || file.startsWith(name) || file.endsWith(`/${name}`)),
    );
  expect(missing).toEqual([]);
});

test.each([
  ["The gzip-compressed raw disk image.", "  // `file`: The gzip-compressed raw disk image.\n"],
  ["'Over\\n\\n```\\nlines'", ""],
])("the example of an upload says what the file holds: %s", async (description, line) => {
  const data = `{put: {operationId: putPicture, security: [], requestBody: {description: ${description}, content: {application/octet-stream: {}}}, responses: {'200': {description: ok}}}}`;
  const files = await generateFiles(
    withPaths("", `components: {pathItems: {picture: ${data}}}\n`).replace("paths:\n", "paths: {}"),
  );
  const [, uploads = ""] = (files["README.md"] ?? "").split("## Uploads");
  expect(uploads).toContain(`file: string): Promise<void> {\n${line}`);
  expect(uploads.split("## Retries")[0]?.match(/```/g)).toHaveLength(2);
});
