import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import * as openapi from "./index.js";
import { lint } from "./lint/index.js";
import * as lintWorker from "./lint/lint-worker-pool.js";
import { readApi } from "./readme.support.js";
import { withFixtureFolder } from "./testing.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/openapi.md")) ?? [];
  expect(example).toBe(
    (await read("readme.support.ts"))
      .replace("./index.js", "@plumbline/kit/openapi")
      .replace("./lint/index.js", "@plumbline/kit/openapi/lint"),
  );
});

test("the README's example works", async () => {
  const description = "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths: {}\n";
  const readText = (text: string) => withFixtureFolder(text, (folder) => readApi(path.join(folder, "openapi.yaml")));
  expect((await readText(description)).title).toBe("Pets");
  await expect(readText(description.replace("paths: {}", "paths: []"))).rejects.toMatchObject({
    diagnostics: [{ origin: { file: "openapi.yaml", line: 3 } }],
  });
});

test("the README names every function", async () => {
  const page = await read("../../docs/openapi.md");
  expect(
    [...Object.keys(openapi), ...Object.keys(lintWorker), ...Object.keys({ lint })].filter(
      (name) => !page.includes(`\`${name}\``),
    ),
  ).toEqual([]);
});
