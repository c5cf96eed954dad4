import { cp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Server } from "@plumbline/server-runtime";
import { nodeListener, protectServer } from "@plumbline/server-runtime/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";
import { casesWith, generateAnnotated, runAnnotatedAt } from "./annotated/annotated.js";
import { libraryCallers } from "./annotated/library.js";

const descriptions = path.join(repository, "test", "descriptions", "annotated");

let folder: string;
let library: Server;
beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  const spec = path.join(descriptions, "library.yaml");
  const args = ["generate", "--only", "server", "--spec", spec, "--out", folder];
  expect(await plumbline(args, { in: folder })).toMatchObject({ code: 0 });
  await cp(path.join(descriptions, "library.server.ts"), path.join(folder, "library.server.ts"));
  const text = await readFile(path.join(folder, "server", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(text) as { readonly compilerOptions: object };
  const options = { ...compilerOptions, rootDir: ".", outDir: "out", declarationMap: false, sourceMap: false };
  const project = path.join(folder, "tsconfig.json");
  await writeFile(project, JSON.stringify({ compilerOptions: options, include: ["library.server.ts", "server/src"] }));
  expect(await compileProject(project, { in: folder })).toEqual({ code: 0, out: "", error: "" });
  const compiled = pathToFileURL(path.join(folder, "out", "library.server.js")).href;
  const { createLibrary } = (await import(compiled)) as {
    readonly createLibrary: (callers: ReadonlyMap<string, object>) => Server;
  };
  library = createLibrary(new Map(Object.entries(libraryCallers)));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a generated server, with handlers that only store", () => {
  it("passes the suite of its description", async () => {
    const suite = await generateAnnotated("library", folder);
    const host = protectServer(createServer(nodeListener(library)), library);
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const { port } = host.address() as AddressInfo;
    const report = await runAnnotatedAt("library", suite, `http://127.0.0.1:${port}/v1`);
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
    expect(casesWith(report, "fail", "error")).toEqual([]);
    expect(report).toMatchObject({ passed: true, errors: [] });
    expect(report.results.length).toBeGreaterThan(400);
    expect(casesWith(report, "skipped")).toEqual(["books/listBooks/limits/requests/per-user"]);
  });
});
