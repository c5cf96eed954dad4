import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Server } from "@plumbline/server-runtime";
import { nodeListener, protectServer } from "@plumbline/server-runtime/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";
import { annotatedApis, type AnnotatedName } from "./annotated/annotated-apis.js";
import { casesWith, generateAnnotated, runAnnotatedAt } from "./annotated/annotated.js";

const descriptions = path.join(repository, "test", "descriptions", "annotated");

let folder: string;
beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
});
afterAll(() => rm(folder, { recursive: true }));

/** The server that is generated from a description, with the handlers beside the description. */
async function compileServer(name: AnnotatedName): Promise<Server> {
  const at = path.join(folder, "servers", name);
  await mkdir(at, { recursive: true });
  const spec = path.join(descriptions, `${name}.yaml`);
  const args = ["generate", "--only", "server", "--spec", spec, "--out", at];
  expect(await plumbline(args, { in: folder })).toMatchObject({ code: 0 });
  await cp(path.join(descriptions, `${name}.server.ts`), path.join(at, `${name}.server.ts`));
  const text = await readFile(path.join(at, "server", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(text) as { readonly compilerOptions: object };
  const options = { ...compilerOptions, rootDir: ".", outDir: "out", declarationMap: false, sourceMap: false };
  const project = path.join(at, "tsconfig.json");
  const include = [`${name}.server.ts`, "server/src"];
  await writeFile(project, JSON.stringify({ compilerOptions: options, include }));
  expect(await compileProject(project, { in: at })).toEqual({ code: 0, out: "", error: "" });
  const compiled = (await import(pathToFileURL(path.join(at, "out", `${name}.server.js`)).href)) as Readonly<
    Record<string, (callers?: ReadonlyMap<string, object>) => Server>
  >;
  const [create] = Object.values(compiled);
  if (create === undefined) throw new Error(`${name}.server.ts exports no function.`);
  // Notes are everybody's.
  return name === "notes" ? create() : create(new Map(Object.entries(annotatedApis[name].callers)));
}

describe.each([
  ["library", "/v1", 400],
  ["clinic", "", 300],
  ["garage", "", 250],
  ["notes", "/v1", 150],
] as const)("a generated server of a %s, with handlers that only store", (name, base, least) => {
  it("passes the suite of its description", async () => {
    const [suite, server] = [await generateAnnotated(name, folder), await compileServer(name)];
    const host = protectServer(createServer(nodeListener(server)), server);
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const { port } = host.address() as AddressInfo;
    const report = await runAnnotatedAt(name, suite, `http://127.0.0.1:${port}${base}`);
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
    expect(casesWith(report, "fail", "error")).toEqual([]);
    expect(report).toMatchObject({ passed: true, errors: [] });
    expect(report.results.length).toBeGreaterThan(least);
    expect(casesWith(report, "skipped").toSorted()).toEqual(annotatedApis[name].skipped.toSorted());
  });
});
