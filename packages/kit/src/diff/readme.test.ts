import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { buildFixtureApi } from "../openapi/testing.js";
import * as diff from "./index.js";
import { summarizeChanges } from "./readme.support.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/diff.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/kit/diff"));
});

test("the README's example works", async () => {
  const description = (paths: string) => `openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths: ${paths}\n`;
  const get = "get: {operationId: listPets, responses: {'200': {description: It.}}}";
  const before = description(`{/pets: {${get}}}`);
  const after = description(`{/pets: {${get}}, /owners: {${get.replace("listPets", "listOwners")}}}`);
  const compare = async (old: string, next: string) =>
    summarizeChanges(await buildFixtureApi(old), await buildFixtureApi(next));
  expect(await compare(before, after)).toBe(
    "breaks implementers: The operation listOwners, GET /owners was added.\nnext release: minor",
  );
  expect(await compare(after, before)).toBe(
    "breaks callers, implementers, wire: The operation listOwners, GET /owners was removed.\nnext release: major",
  );
  expect(await compare(before, before)).toBe("next release: none");
});

test("the README names every function", async () => {
  const page = await read("../../docs/diff.md");
  expect(Object.keys(diff).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
