import { symlink, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { examplesOf } from "../support/examples.js";
import { repository, temporaryFolder } from "../support/places.js";
import { readTracked } from "../support/tracked.js";

/** The exports of an example of a README. */
async function runExample(readme: string, index = 0): Promise<Readonly<Record<string, unknown>>> {
  const folder = await temporaryFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  const file = path.join(folder, "example.mjs");
  const { code } = await transform(examplesOf(readTracked(readme))[index] ?? "", { loader: "ts", target: "es2022" });
  await writeFile(file, code);
  return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
}

test("the first example of the generated package responds as the API would", async () => {
  const { response } = await runExample("packages/mock/README.md");
  expect((response as Response).status).toBe(401);
});

test("the first example of the runtime creates a tag, and lists it", async () => {
  const { createdTags } = await runExample("packages/server-runtime/docs/mock.md");
  const list = await (createdTags as (label: string) => Promise<unknown>)("production");
  expect(list).toMatchObject({ data: [{ label: "production" }], results: 1 });
});

test("the second example of the runtime is a listener of Node", async () => {
  const { http } = await runExample("packages/server-runtime/docs/mock.md", 1);
  expect((http as Server).listenerCount("request")).toBe(1);
});

test("the third example of the runtime moves the clock", async () => {
  const { nextDay } = await runExample("packages/server-runtime/docs/mock.md", 2);
  const { now } = (await (nextDay as () => Promise<unknown>)()) as { readonly now: string };
  expect(Date.parse(now) - Date.now()).toBeGreaterThan(86_390_000);
});
