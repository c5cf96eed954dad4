import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type { Mock } from "@plumbline/server-runtime/mock";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { chromium, openPage, startBrowser } from "./support/chromium.js";
import { repository, temporaryFolder } from "./support/places.js";
import { compileProject, plumbline, run, runNode } from "./support/run.js";
import { packedAll } from "./support/tarballs.js";

const consumers = path.join(repository, "test", "consumers");
const matrix = path.join(consumers, "matrix");
const installed = path.join(consumers, "node_modules");
const runtimes = ["client", "http", "validator", "server", "mock"].map((name) => `@plumbline/${name}-runtime`);

/** What `scenario.js` returns in each consumer. */
const expected = [
  'POST 201: "Dear Ann"',
  'GET: "Dear Ann"',
  "HEAD: nothing",
  'PUT: "Dear Bob"',
  "PATCH: true",
  "OPTIONS: nothing",
  "upload: nothing",
  'download: "image/png"',
  'stream: {"place":"Berlin"}',
  'page: "Dear Bob"',
  'page: "Dear Cid"',
  'page: "Dear Dan"',
  "DELETE: nothing",
  "DELETE: nothing",
  "DELETE: nothing",
  'no letter: ["http",404,"There is no such letter"]',
  'an invalid body: ["http",400,"must be 1 to 40 characters"]',
  'no token: ["http",401,"unauthenticated"]',
  'no server: ["network",0]',
  'no response: ["timeout",0]',
  'a signal: ["aborted",0]',
  'no JSON: ["decode",200]',
  'no request: ["request",0]',
];

/** Programs, from their folder. They print what the scenario returns. */
const programs: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  Node: [process.execPath, "program.js"],
  CommonJS: [process.execPath, "program.cjs"],
  Jest: [process.execPath, path.join(installed, "jest/bin/jest.js")],
  Deno: [path.join(installed, ".bin/deno"), "run", "--allow-all", "--node-modules-dir=manual", "program.js"],
  Bun: [bun(), "program.js"],
};

/** Bundlers, each with the command that bundles the page into a folder of its name in `dist`. */
const bundlers: Readonly<Record<string, readonly string[]>> = {
  vite: ["../node_modules/vite/bin/vite.js", "build", "--outDir", "dist/vite"],
  esbuild: [
    "../node_modules/esbuild/bin/esbuild",
    "page.js",
    "--bundle",
    "--minify",
    "--format=esm",
    "--outfile=dist/esbuild/page.js",
  ],
  rspack: ["pack.js", "rspack"],
  webpack: ["pack.js", "webpack"],
};

beforeAll(async () => {
  expect(existsSync(installed), "`npm ci` has run in test/consumers").toBe(true);
  await packedAll(runtimes, installed);
  expect(await plumbline(["generate", "--allow-outside"], { in: matrix })).toMatchObject({ code: 0, error: "" });
  for (const name of ["client", "server", "mock"]) {
    const folder = path.join(installed, "@letters", name);
    expect(await compileProject(".", { in: folder })).toEqual({ code: 0, out: "", error: "" });
  }
});

describe("programs", () => {
  it.each(Object.entries(programs))("with %s", async (_, [command, ...args]) => {
    const env = { LETTERS_URL: `${await serve(matrix)}/v1`, DENO_DIR: await temporaryFolder() };
    const { out, error } = await run(command, args, { in: matrix, env });
    const line = out.split("\n").find((each) => each.startsWith("["));
    expect(line === undefined ? error : JSON.parse(line)).toEqual(expected);
  });

  it("configure Jest as the README of the client says", async () => {
    const readme = await readFile(path.join(installed, "@letters/client/README.md"), "utf8");
    expect(readme).toContain(await readFile(path.join(matrix, "jest.config.cjs"), "utf8"));
  });
});

describe.skipIf(chromium === undefined)("pages", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each(Object.entries(bundlers))("of %s", async (name, args) => {
    const { code, out, error } = await runNode(args, { in: matrix });
    expect(code, out + error).toBe(0);
    const folder = path.join(matrix, "dist", name);
    // Vite has written it already, with another name of the script.
    await cp(path.join(matrix, "index.html"), path.join(folder, "index.html"), { force: false });
    expect(await linesOf(browser, `${await serve(folder)}/index.html`)).toEqual(expected);
  });

  describe("of Next.js", () => {
    const folder = path.join(matrix, "next");
    const next = path.join(installed, "next/dist/bin/next");
    const env = { NEXT_TELEMETRY_DISABLED: "1" };
    beforeAll(async () => {
      const { code, out, error } = await runNode([next, "build"], { in: folder, env });
      expect(code, out + error).toBe(0);
    });

    it.each([
      ["client component", "client", expected],
      ["server component", "server", expected],
      ["client that it compiles, a copy of the sources", "sources", ["Dear Ann"]],
    ])("call a mock in a route handler from a %s", async (_, name, lines) => {
      const args = [next, "start", "--hostname", "127.0.0.1", "--port", "0"];
      const server = spawn(process.execPath, args, {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(server, "exit");
      onTestFinished(async () => {
        server.kill();
        await exited;
      });
      let url: string | undefined;
      for await (const line of createInterface(server.stdout)) {
        [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (url !== undefined) break;
      }
      server.stdout.resume();
      expect(await linesOf(browser, `${url}/${name}`)).toEqual(lines);
    });
  });
});

/** What the scenario has returned in a page. */
async function linesOf(browser: Browser, url: string): Promise<unknown> {
  const { page, context, errors } = await openPage(browser);
  try {
    await page.goto(url);
    const lines = page.locator("pre", { hasText: "[" });
    await lines.waitFor({ timeout: 120_000 }).catch(() => expect.fail(errors.join("\n")));
    return JSON.parse((await lines.textContent()) ?? "") as unknown;
  } finally {
    await context.close();
  }
}

/** Serves a mock below `/v1`, and else the files of a folder. */
async function serve(folder: string): Promise<string> {
  const module = pathToFileURL(path.join(installed, "@letters/mock/dist/index.js")).href;
  const { createMock } = (await import(module)) as { readonly createMock: () => Mock };
  const mock = createMock();
  const listener = getRequestListener(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/v1/")) return mock.fetch(request);
    const type = pathname.endsWith(".js") ? "text/javascript" : "text/html";
    const bytes = await readFile(path.join(folder, pathname)).catch(() => undefined);
    return new Response(bytes, { status: bytes === undefined ? 404 : 200, headers: { "content-type": type } });
  });
  const server = createServer((request, response) => void listener(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The program of Bun, which its package links in an install script. */
function bun(): string {
  const platforms = path.join(installed, "@oven");
  const [platform = ""] = existsSync(platforms) ? readdirSync(platforms) : [];
  return path.join(platforms, platform, "bin", "bun");
}
