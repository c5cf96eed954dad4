import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import * as runtime from "./index.js";
import { petShop } from "./readme.support.js";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("the README's first example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/server.md")) ?? [];
  const support = await read("readme.support.ts");
  expect(example).toBe(
    support
      .replace("./adapters/node/index.js", "@plumbline/server-runtime/node")
      .replace("./index.js", "@plumbline/server-runtime"),
  );
});

test("the README's first example works", async () => {
  const server = petShop();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const get = async (id: string, token: string) => {
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${token}`, connection: "close" };
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets/${id}`, { headers });
    return [response.status, await response.json()];
  };
  expect(await get("5", "secret")).toEqual([200, { name: "Rex" }]);
  expect(await get("6", "secret")).toEqual([404, { errors: [{ reason: "Unknown pet" }] }]);
  expect(await get("five", "secret")).toEqual([404, { errors: [{ reason: "Not found" }] }]);
  expect(await get("5", "other")).toEqual([401, { errors: [{ reason: "A credential is required" }] }]);
});

test("the README names every function", async () => {
  const readme = await read("../../docs/server.md");
  expect(Object.keys(runtime).filter((name) => !readme.includes(name))).toEqual([]);
});
