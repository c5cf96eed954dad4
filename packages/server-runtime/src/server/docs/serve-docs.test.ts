import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../listen.support.js";
import { adapterNames, adapters } from "../adapters/adapters.support.js";
import { nodeListener } from "../adapters/node/index.js";
import type { Server } from "../http/server.js";
import { withDocs } from "./readme.support.js";
import { serveDocs, type DocsOptions } from "./serve-docs.js";

const description = JSON.stringify({
  info: { title: "Pets <b>", version: "1" },
  paths: { "/pets": { get: { summary: "List & more" }, post: { operationId: "createPet" }, parameters: [] } },
});
const json = (): string => description;
const files: Readonly<Record<string, string>> = { "index.html": "<p>site", "assets/site.js": "1" };
const site = (path: string): Uint8Array | undefined =>
  Object.hasOwn(files, path) ? new TextEncoder().encode(files[path]) : undefined;

/** A server of which only `/v1` is known. */
const api: Server = {
  handle: ({ target }) =>
    target.startsWith("/v1") ? Promise.resolve({ status: 200, headers: {}, body: "api" }) : undefined,
  notFound: () => ({ status: 404, headers: {}, body: "not found" }),
  internalError: (error) => ({ status: 500, headers: {}, body: String(error) }),
};

async function serve(options: DocsOptions): Promise<string> {
  const listener = nodeListener(serveDocs(api, options));
  const { port, close } = await listen((request, response) => listener(request, response));
  onTestFinished(close);
  return `http://127.0.0.1:${port}`;
}

describe.each(adapterNames)("documents of a server on %s", (name) => {
  test("are beside the API, whose paths come first", async () => {
    const { port, close } = await adapters[name](serveDocs(api, { json, yaml: () => "openapi: 3.1.0\n", site }));
    onTestFinished(close);
    const get = async (path: string, options: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, options);
    const read = await get("/openapi.json?a=1");
    expect(await read.text()).toBe(description);
    expect(read.headers.get("content-type")).toBe("application/json");
    expect(read.headers.get("access-control-allow-origin")).toBe("*");
    expect(await (await get("/openapi.yaml")).text()).toBe("openapi: 3.1.0\n");
    expect(await (await get("/v1/openapi.json")).text()).toBe("api");
    expect(await (await get("/docs")).text()).toBe("<p>site");
    const script = await get("/docs/assets/site.js");
    expect([await script.text(), script.headers.get("content-type")]).toEqual(["1", "text/javascript; charset=utf-8"]);
    expect(script.headers.get("access-control-allow-origin")).toBeNull();
    expect((await get("/docs/other.html")).status).toBe(404);
    expect(await (await get("/other")).text()).toMatch(name === "fetch" ? "not found" : "host");
    const posted = await get("/openapi.json", { method: "POST", body: "{}" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await get("/openapi.json", { method: "HEAD" });
    expect([await head.text(), head.headers.get("content-length")]).toEqual(["", String(description.length)]);
    const tag = read.headers.get("etag") ?? "";
    expect(tag).not.toBe("");
    expect((await get("/openapi.json", { headers: { "if-none-match": `"a", ${tag}` } })).status).toBe(304);
    expect((await get("/openapi.json", { headers: { "if-none-match": '"a"' } })).status).toBe(200);
  });
});

test("without a site, a page lists the operations, with all texts escaped", async () => {
  const url = await serve({ json });
  const page = await fetch(`${url}/docs/`);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const text = await page.text();
  expect(text).toContain("<h1>Pets &lt;b&gt; 1</h1>");
  expect(text.match(/<td>.*?<\/td>/g)).toEqual([
    "<td>GET</td>",
    "<td><code>/pets</code></td>",
    "<td>List &amp; more</td>",
    "<td>POST</td>",
    "<td><code>/pets</code></td>",
    "<td>createPet</td>",
  ]);
  expect(text).not.toContain("openapi.yaml");
  expect((await fetch(`${url}/openapi.yaml`)).status).toBe(404);
  expect(await (await fetch(`${await serve({ json, yaml: json })}/docs/`)).text()).toContain("openapi.yaml");
});

test("the README's example is the code of its test, and works", async () => {
  const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");
  const support = await read("readme.support.ts");
  expect(await read("../../../docs/server.md")).toContain(
    support.replace("../index.js", "@plumbline/server-runtime").replace("./index.js", "@plumbline/server-runtime/docs"),
  );
  const folder = await mkdtemp(join(tmpdir(), "plumbline-docs-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "openapi.json"), description);
  const listener = nodeListener(withDocs(api, join(folder, "openapi.json")));
  const { port, close } = await listen((request, response) => listener(request, response));
  onTestFinished(close);
  expect(await (await fetch(`http://127.0.0.1:${port}/docs/`)).text()).toContain("createPet");
});

test("a document is read once, and again after an error", async () => {
  let reads = 0;
  const url = await serve({
    json: () => {
      reads += 1;
      if (reads === 1) throw new Error("no disk");
      return description;
    },
  });
  const failed = await fetch(`${url}/openapi.json`);
  expect([failed.status, await failed.text()]).toEqual([500, "Error: no disk"]);
  for (const path of ["openapi.json", "docs/", "openapi.json"])
    expect((await fetch(`${url}/${path}`)).status).toBe(200);
  expect(reads).toBe(2);
});

test("a site is asked for files below its folder only", async () => {
  const asked: string[] = [];
  const url = await serve({
    json,
    site: (path) => {
      asked.push(path);
      return undefined;
    },
  });
  const paths = ["", "a/", "a/b.html", "..%2Fa", "%2e%2e/a", ".env", "a/.git/b", "a//b", "a%00b", "a/..b"];
  for (const path of paths) expect((await fetch(`${url}/docs/${path}`)).status).toBe(404);
  expect(asked).toEqual(["index.html", "a/index.html", "a/b.html"]);
});
