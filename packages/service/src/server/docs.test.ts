import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
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

test("what no file of a site can be is not found, and the log says nothing", async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "cloud-compute-site-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = path.join(parent, "site");
  await mkdir(path.join(folder, "states.html"), { recursive: true });
  await writeFile(path.join(parent, "secret.txt"), "secret");
  await writeFile(path.join(folder, "closed.html"), "closed");
  await chmod(path.join(folder, "closed.html"), 0);
  await writeFile(path.join(folder, "open.html"), "open");
  await symlink(path.join(folder, "open.html"), path.join(folder, "inner.html"));
  await symlink(path.join(parent, "secret.txt"), path.join(folder, "link.txt"));
  await symlink(parent, path.join(folder, "up"));
  await symlink(path.join(folder, "loop.html"), path.join(folder, "loop.html"));
  const { service } = await start(["--site", folder]);
  const { origin } = new URL(service.url);
  const written: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = (text) => written.push(String(text)) > 0;
  onTestFinished(() => void (process.stderr.write = write));
  const statusOf = async (file: string): Promise<number> => (await fetch(`${origin}/docs/${file}`)).status;
  const names = [
    "a".repeat(255),
    "a".repeat(256),
    `${"a".repeat(256)}/b.html`,
    `${"a/".repeat(1000)}b.html`,
    "a%00b",
    "%2e%2e/secret.txt",
    "..%2fsecret.txt",
    "con.html",
    "NUL",
    "states.html",
    "link.txt",
    "up/secret.txt",
    "loop.html",
    "open.html/",
    // A privileged user may read it.
    ...(process.getuid?.() === 0 ? [] : ["closed.html"]),
  ];
  const statuses = await Promise.all(names.map(async (name) => [name, await statusOf(name)]));
  expect(statuses).toEqual(names.map((name) => [name, 404]));
  expect(await Promise.all(["open.html", "inner.html"].map(statusOf))).toEqual([200, 200]);
  expect(written).toEqual([]);
});

test("with --no-docs, there is nothing but the API", async () => {
  const { service } = await start(["--no-docs"]);
  const { origin } = new URL(service.url);
  for (const file of ["openapi.json", "openapi.yaml", "docs", "docs/"])
    expect((await fetch(`${origin}/${file}`)).status).toBe(404);
});
