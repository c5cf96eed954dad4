import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as runtime from "./index.js";

const page = await readFile(new URL("../../docs/mock.md", import.meta.url), "utf8");

test("the README names every function and every error", () => {
  const names = Object.keys(runtime);
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("the README describes every option", async () => {
  const source = await readFile(new URL("mock-options.ts", import.meta.url), "utf8");
  const options = [...source.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name);
  expect(options.length).toBeGreaterThan(5);
  expect(options.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});
