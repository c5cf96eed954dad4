import { cp, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { proveHandlers } from "../support/handlers/prove-handlers.js";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

describe("handlers that people edit", () => {
  it("stay complete when the description changes, and when it changes back", async () => {
    // To compile the files takes longest: the full form does.
    const compile = async (): Promise<readonly string[]> => [];
    for (let seed = 0; seed < 4; seed++) {
      const { changes, errors } = await proveHandlers(seed, { compile });
      expect(errors, `seed ${seed}`).toEqual([]);
      expect(changes).toBeGreaterThan(0);
    }
  });
});

describe("without @plumbline/codemods", () => {
  it("the generator says what to install", async () => {
    const project = await temporaryFolder();
    const modules = path.join(project, "node_modules", "@plumbline");
    await mkdir(modules, { recursive: true });
    await symlink(path.join(repository, "packages", "kit"), path.join(modules, "kit"), "dir");
    const generators = path.join(modules, "generators");
    for (const name of ["dist", "package.json", "templates"])
      await cp(path.join(repository, "generators", name), path.join(generators, name), { recursive: true });
    await place(project, {
      "openapi.yaml": "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths: {}\n",
      "plumbline.yaml": `ruleset: minimal
generators: {mine: '@plumbline/generators/handlers'}
descriptions:
  - {description: openapi.yaml, artifacts: {mine: {out: mine, server: '@pets/server'}}}
`,
    });
    const { code, error } = await plumbline(["generate"], { in: project });
    expect(code).toBe(1);
    expect(error).toContain(
      "generator/missing  The artifact `handlers` requires the package @plumbline/codemods. Install it: npm install --save-dev @plumbline/codemods.",
    );
  });
});
