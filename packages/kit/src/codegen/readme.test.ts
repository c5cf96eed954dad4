import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as codegen from "./index.js";
import { pathsGenerator } from "./readme.support.js";
import { testGenerator } from "./testing.js";
import * as validation from "./validation/index.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/codegen.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/kit/codegen"));
});

test("the README's example works", async () => {
  const description = `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets: {get: {operationId: listPets, summary: 'All pets. */ evil()', responses: {'200': {description: It.}}}}
`;
  expect(await testGenerator(pathsGenerator, { description })).toEqual({
    "src/paths.ts": `/** All pets. *\\/ evil() */
export const listPets = "/pets";
`,
  });
});

test("the README names every function", async () => {
  const page = await read("../../docs/codegen.md");
  expect([...Object.keys(codegen), ...Object.keys(validation)].filter((name) => !page.includes(`\`${name}\``))).toEqual(
    [],
  );
});
