import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { generateHandlers } from "./readme.support.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/handlers.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/generators/handlers"));
});

test("the README's example works, and generates the files of its table", async () => {
  const description = `openapi: 3.1.0
info: {title: Pet shop, version: 1.0.0}
paths:
  /pets: {get: {operationId: listPets, tags: [pets], responses: {'200': {description: All.}}}}
`;
  const files = await generateHandlers(description);
  const [table = ""] = /^\| file [^]*?\n\n/m.exec(await read("../../docs/handlers.md")) ?? [];
  const stated = [...table.matchAll(/^\| `([\w./-]+)`/gm)].map(([, name = ""]) => name.replace("TAG", "pets"));
  expect(Object.keys(files).toSorted()).toEqual(stated.toSorted());
  expect(await generateHandlers(description, files)).toEqual(
    Object.fromEntries(Object.entries(files).filter(([file]) => file !== "src/server.ts")),
  );
});
