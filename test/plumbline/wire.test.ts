import { cp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer as listen, type Server as Host } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readSuite } from "@plumbline/conformance-runtime";
import { type CommandIo, runCommand } from "@plumbline/conformance-runtime/command";
import type { Server } from "@plumbline/server-runtime";
import { nodeListener } from "@plumbline/server-runtime/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";

const corners = path.join(repository, "test", "descriptions", "corners");

interface Stubs {
  readonly server: Server;
  readonly received: readonly unknown[];
  readonly callAll: (baseUrl: string) => Promise<readonly unknown[]>;
}

let folder: string;
let host: Host;
let stubs: Stubs;
let url: string;

beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  const args = ["generate", "--spec", path.join(corners, "wire.yaml"), "--out", folder];
  expect(await plumbline(args, { in: folder })).toMatchObject({ code: 0 });
  await cp(path.join(corners, "wire.stubs.ts"), path.join(folder, "stubs.ts"));
  const text = await readFile(path.join(folder, "server", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(text) as { compilerOptions: Readonly<Record<string, unknown>> };
  const options = { ...compilerOptions, rootDir: ".", outDir: "out", declarationMap: false, sourceMap: false };
  const include = ["stubs.ts", "*/src"];
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include }));
  const compiled = await compileProject(path.join(folder, "tsconfig.json"), { in: folder });
  expect(compiled).toEqual({ code: 0, out: "", error: "" });
  stubs = (await import(pathToFileURL(path.join(folder, "out", "stubs.js")).href)) as Stubs;
  host = listen(nodeListener(stubs.server));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/c++/caf%C3%A9/\u00fc`;
});
afterAll(async () => {
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
  await rm(folder, { recursive: true });
});

it("a client and a server of one description understand each other", async () => {
  expect(await stubs.callAll(url)).toEqual([
    { kind: "cat" },
    [],
    { kind: "kitten", lives: 9 },
    { kind: "dog" },
    { kind: "dog" },
    { shape: "box", side: 1 },
    6,
  ]);
  const photo = expect.any(Blob) as Blob;
  expect(stubs.received).toEqual([
    { filter: { tags: ["a", "b&c"], created: { gte: 5 }, name: "x" }, expand: ["p", "q"] },
    { kind: "kitten", lives: 9 },
    { line_items: [{ price: "a" }, { quantity: 2 }], expand: ["x"], card: { number: "4" } },
    { photo, name: "n" },
  ]);
});

it.each([
  ["GET", "/pets/x/", undefined, 404, { error: { message: "Not found" } }],
  ["DELETE", "/pets/5/", undefined, 405, { error: { message: "The method is not allowed" } }],
  [
    "GET",
    "/pets/?filter[created][gte]=q",
    undefined,
    400,
    { detail: "filter.created.gte must be an integer", code: 400 },
  ],
  ["POST", "/pets/", { kind: "cow" }, 400, { error: { message: "kind must be cat, kitten, dog or Bird" } }],
  [
    "PUT",
    "/owners/1",
    { name: "longer" },
    422,
    { detail: [{ loc: ["body", "name"], msg: expect.any(String), type: "length" }] },
  ],
  ["POST", "/shapes/", { shape: "Square" }, 400, undefined],
  ["GET", "/none", undefined, 404, { error: { message: "Not found" } }],
])(
  "%s %s %j is rejected as the description documents, else with problem details",
  async (method, target, body, status, expected) => {
    const response = await fetch(url + target, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    expect(response.status).toBe(status);
    const problem = { type: "about:blank", title: expect.any(String), status, detail: expect.any(String) };
    expect(response.headers.get("content-type")).toBe(
      expected === undefined ? "application/problem+json" : "application/json",
    );
    expect(await response.json()).toMatchObject(expected ?? problem);
  },
);

it("the server passes the suite of its description without settings", async () => {
  const suite = readSuite(pathToFileURL(path.join(folder, "conformance", "data", path.sep)));
  expect(suite.cases.length).toBeGreaterThan(50);
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) > 0 };
  const io: CommandIo = {
    stdout: stream,
    stderr: stream,
    env: {},
    cwd: () => folder,
    once: () => undefined,
    removeListener: () => undefined,
  };
  const code = await runCommand(suite, ["run", "--url", url], io);
  expect({ code, text: written.join("") }).toMatchObject({
    code: 0,
    text: expect.stringContaining("All cases passed."),
  });
});
