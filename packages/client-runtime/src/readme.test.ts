import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as runtime from "./index.js";
import { sendJson, serve } from "./loopback.support.js";
import { labelOf } from "./readme.support.js";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("the README's first example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../README.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/client-runtime"));
});

test("the README's first example works", async () => {
  const { url, seen } = await serve((response, { url: at }) =>
    at === "/compute/instances/5"
      ? sendJson({ id: 5, label: "web" })(response)
      : sendJson({ reason: "Not found" }, 404)(response),
  );
  expect([await labelOf(5, url), await labelOf(6, url)]).toEqual(["web", "none: Not found"]);
  expect(seen[0]?.headers.authorization).toBe("Bearer secret");
});

test("the README names every function", async () => {
  const readme = await read("../README.md");
  const unnamed = Object.keys(runtime).filter((name) => !readme.includes(name.replace("Exploded", "")));
  expect(unnamed).toEqual([]);
});
