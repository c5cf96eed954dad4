import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../testing.support.js";

test("the description and a page of its operations are beside the API", async () => {
  const { service } = await start();
  const { origin } = new URL(service.url);
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as { readonly paths: object };
  expect(Object.keys(document.paths)).toContain("/compute/instances");
  expect(await (await fetch(`${origin}/openapi.yaml`)).text()).toMatch(/^openapi: 3\.\d/);
  expect(await (await fetch(`${origin}/docs`)).text()).toContain("Create an instance");
  for (const file of ["openapi.json", "openapi.yaml", "docs/"])
    expect((await fetch(`${service.url}/${file}`)).status).toBe(404);
});

test("a site replaces the page", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "cloud-compute-site-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, "states"));
  await writeFile(path.join(folder, "states", "index.html"), "<h1>States</h1>");
  const { service } = await start(["--site", folder]);
  const { origin } = new URL(service.url);
  const found = await fetch(`${origin}/docs/states/`);
  expect([found.headers.get("content-type"), await found.text()]).toEqual([
    "text/html; charset=utf-8",
    "<h1>States</h1>",
  ]);
  for (const file of ["", "states", "states/other.html", "states/index.html/a"])
    expect((await fetch(`${origin}/docs/${file}`)).status).toBe(404);
});

test("with --no-docs, there is nothing but the API", async () => {
  const { service } = await start(["--no-docs"]);
  const { origin } = new URL(service.url);
  for (const file of ["openapi.json", "openapi.yaml", "docs", "docs/"])
    expect((await fetch(`${origin}/${file}`)).status).toBe(404);
});
