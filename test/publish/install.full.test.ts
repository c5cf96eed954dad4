import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startCloud } from "../support/cloud.js";
import { examplesOf, scriptOf } from "../support/examples.js";
import { pets, place } from "../support/pets.js";
import { repository, unremovedFolder } from "../support/places.js";
import { publishAll, type Published } from "../support/publishing.js";
import { run, runNode } from "../support/run.js";
import { startService } from "../support/service.js";
import { publicNames } from "../support/tarballs.js";
import { readTracked } from "../support/tracked.js";
import { asking, files, withoutHandlers } from "./sources.js";

/** Releases with new versions and tries every compiler; `PUBLISH=one` releases packages as they are built. */
const isWhole = process.env["PUBLISH"] !== "one";

let published: Published;
let project: string;
beforeAll(async () => {
  published = await publishAll({ isWhole });
  project = await newProject();
  await place(project, files);
  await install(project, "@cloud-compute/client", "@cloud-compute/validator", "@cloud-compute/server");
});
afterAll(async () => {
  await published.close();
  await rm(project, { recursive: true, force: true });
});

describe("a release of this repository", () => {
  it("publishes every public package, and no private one", () => {
    const { code, out } = published.ended;
    expect({ code, out }).toMatchObject({ code: 0 });
    const names = [...out.matchAll(/New tag: +(\S+)@\d+\.\d+\.\d+$/gm)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(publicNames()));
    expect(names).toEqual(expect.arrayContaining(["@cloud-compute/client", "@cloud-compute/service"]));
    expect(names).not.toContain("@plumbline/command-line");
  });

  it("reports the version of the API in generated packages", async () => {
    const { out } = await run("npm", ["view", "@cloud-compute/client", "apiVersion"], { in: project });
    expect(out).toBe("4.142.1\n");
  });
});

describe("a new project that installs client, validator and server", () => {
  it("gets these packages and no other", async () => {
    const lock = JSON.parse(await readFile(path.join(project, "package-lock.json"), "utf8")) as {
      readonly packages: object;
    };
    expect(Object.keys(lock.packages)).toEqual([
      "",
      "node_modules/@cloud-compute/client",
      "node_modules/@cloud-compute/server",
      "node_modules/@cloud-compute/validator",
      "node_modules/@plumbline/client-runtime",
      "node_modules/@plumbline/server-runtime",
    ]);
  });

  it.each(["script.mjs", "script.cjs"])("runs %s", async (script) => {
    expect(await runNode([script], { in: project })).toEqual({
      code: 0,
      out: "false network\ntype is required\nlabel must be 3 to 64 characters\n503\n",
      error: "",
    });
  });

  const resolutions = [
    { moduleResolution: "nodenext", module: "nodenext", common: ["common.cts"] },
    // Before nodenext, TypeScript does not let a CommonJS module require an ES module, even if Node does.
    { moduleResolution: "node16", module: "node16", common: [] },
    { moduleResolution: "bundler", module: "esnext", common: ["common.cts"] },
  ];
  const compilers = [
    { version: "7.0.2", home: () => repository, resolutions },
    {
      version: "5.9.3",
      home: () => path.join(repository, "generators"),
      resolutions: resolutions.slice(0, isWhole ? undefined : 1),
    },
    // Its command has the same name as that of the others: installed together, one would replace another.
    ...(isWhole ? [{ version: "6.0.3", home: () => installed("typescript@6.0.3"), resolutions }] : []),
  ];
  it.each(compilers.flatMap((compiler) => compiler.resolutions.map((resolution) => ({ ...compiler, ...resolution }))))(
    "has types for TypeScript $version with $moduleResolution",
    async ({ version, home, moduleResolution, module, common }) => {
      const manifest = createRequire(path.join(await home(), "package.json")).resolve("typescript/package.json");
      const tsc = (...args: readonly string[]) =>
        runNode([path.join(path.dirname(manifest), "bin", "tsc"), ...args], { in: project });
      expect((await tsc("--version")).out).toBe(`Version ${version}\n`);
      const options = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022"];
      const given = [...options, "--module", module, "--moduleResolution", moduleResolution];
      expect(await tsc(...given, "program.ts", "validating.ts", "serving.ts", ...common)).toEqual({
        code: 0,
        out: "",
        error: "",
      });
      const wrong = await tsc(...given, "wrong.ts");
      expect(wrong.code).not.toBe(0);
      expect(wrong.out).toMatch(/^wrong\.ts[(:]4.*Type 'string' is not assignable to type 'number'/);
    },
  );
});

describe("the first example of the README of", () => {
  const first = (name: string) => scriptOf(examplesOf(readTracked(`packages/${name}/README.md`))[0] ?? "");

  it("the client runs", async () => {
    const cloud = await startCloud();
    onTestFinished(() => cloud.close());
    await place(project, { "client.mjs": first("client") });
    const env = { CLOUD_COMPUTE_TOKEN: cloud.token, CLOUD_COMPUTE_URL: cloud.url };
    const { code, out, error } = await runNode(["client.mjs"], { in: project, env });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toContain("label: 'web-1'");
  });

  it("the validator runs", async () => {
    await install(project, "express@5.3.0");
    await place(project, { "validator.mjs": first("validator") + asking });
    expect(await runNode(["validator.mjs"], { in: project })).toEqual({
      code: 0,
      out: '400 {"errors":[{"field":"type","reason":"is required"}]}\n',
      error: "",
    });
  });

  it("the server runs", async () => {
    await place(project, { "server.mjs": first("server") + withoutHandlers });
    expect(await runNode(["server.mjs"], { in: project })).toEqual({
      code: 0,
      out: "Missing handlers: listInstances\n",
      error: "",
    });
  });

  it("the suite runs, and so does its command", async () => {
    await install(project, "@cloud-compute/conformance");
    await place(project, { "suite.mjs": first("conformance") });
    const { code, out } = await runNode(["suite.mjs"], { in: project });
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d{4} cases for \d+ operations\n$/) as string,
    });
    const program = path.join(project, "node_modules", ".bin", "cloud-compute-conformance");
    const command = (...args: readonly string[]) => runNode([program, ...args], { in: project });
    expect(await command("--help")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Usage: cloud-compute-conformance COMMAND") as string,
    });
    const listed = await command("list", "--only", "tags/listTags");
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining("tags/listTags") as string });
  });
});

describe("a new user who installs", () => {
  it("the service runs it", async () => {
    const own = await newProject();
    onTestFinished(() => rm(own, { recursive: true, force: true }));
    await install(own, "@cloud-compute/service");
    const program = path.join(own, "node_modules", ".bin", "cloud-compute");
    const { url, token } = await startService(["--data", ":memory:", "--port", "0", "--pace", "0"], program);
    const response = await fetch(`${url}/profile`, { headers: { authorization: `Bearer ${token}` } });
    expect(await response.json()).toMatchObject({ username: "admin" });
  });

  if (!isWhole) return;

  it("the generator creates packages with published runtimes", async () => {
    const own = await newProject();
    onTestFinished(() => rm(own, { recursive: true, force: true }));
    await install(own, await published.tarball("plumbline"), "typescript@6.0.3");
    await place(own, { "openapi.yaml": pets });
    const program = path.join(own, "node_modules", ".bin", "plumbline");
    const args = ["generate", "--spec", "openapi.yaml", "--out", "made", "--only", "client"];
    expect(await runNode([program, ...args], { in: own })).toMatchObject({ code: 0 });
    await install(own, "./made/client");
    expect(await run("npm", ["run", "build"], { in: path.join(own, "made", "client") })).toMatchObject({ code: 0 });
  });
});

async function newProject(): Promise<string> {
  const folder = await unremovedFolder();
  await place(folder, { "package.json": JSON.stringify({ name: "new", private: true, type: "module" }) });
  await published.registry.configure(folder);
  return folder;
}

/** Our packages come from the registry on this machine; `warm-cache.mjs` fills npm's cache with all others. */
async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  const { code, error } = await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packages], {
    in: folder,
  });
  expect(code, error).toBe(0);
}

async function installed(compiler: string): Promise<string> {
  const own = await newProject();
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  await install(own, compiler);
  return own;
}
