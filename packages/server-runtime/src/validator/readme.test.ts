import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../listen.support.js";
import { request, sendRaw } from "./adapters/raw-http.support.js";
import * as runtime from "./index.js";
import { petShop } from "./readme.support.js";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("the README's first example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/validator.md")) ?? [];
  const support = await read("readme.support.ts");
  expect(example).toBe(
    support
      .replace("./adapters/express/index.js", "@plumbline/server-runtime/validator/express")
      .replace("./index.js", "@plumbline/server-runtime/validator"),
  );
});

test("the README's first example works", async () => {
  const { port, close } = await listen(petShop());
  onTestFinished(close);
  const put = async (id: string, body: string) => {
    const response = await sendRaw(port, [request(`PUT /v4/pets/${id}`, ["Content-Type: application/json"], body)]);
    return [response.status, JSON.parse(response.body) as unknown];
  };
  expect(await put("5", '{"name":"Rex"}')).toEqual([200, { id: 5, name: "Rex" }]);
  expect(await put("5", "{}")).toEqual([400, { errors: [{ field: "name", reason: "must be a string" }] }]);
  expect(await put("five", "{}")).toEqual([404, { errors: [{ reason: "Not found" }] }]);
});

test("the README names every function", async () => {
  const readme = await read("../../docs/validator.md");
  expect(Object.keys(runtime).filter((name) => !readme.includes(name))).toEqual([]);
});
