import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { startLoopback } from "../support/loopback.js";
import { filesOf, pets, place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";
import { readTracked } from "../support/tracked.js";

const { version } = JSON.parse(readTracked("packages/plumbline/package.json")) as { readonly version: string };

const main = `import { createClient, listPets } from "./api";
import { isApiError, type Pet } from "./api/index.js";

export async function readPets(baseUrl: string): Promise<readonly Pet[]> {
  try {
    return await listPets(createClient({ baseUrl }));
  } catch (error) {
    if (isApiError(error)) return [];
    throw error;
  }
}
`;

/** An application that a bundler builds. Its compiler rejects what it can reject. */
const application = {
  "openapi.yaml": pets,
  "package.json": '{\n  "name": "shop",\n  "dependencies": {\n    "vue": "^3.5.0"\n  }\n}\n',
  "tsconfig.json": `{
  "compilerOptions": {
    "target": "es2022",
    "lib": ["es2022", "dom"],
    "types": [],
    "module": "esnext",
    "moduleResolution": "bundler", // Vite
    "strict": true,
    "noUnusedLocals": true,
    "noUnusedParameters": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "noEmit": true,
  },
  "include": ["src"],
}
`,
  "src/main.ts": main,
};

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  await place(folder, files);
  return folder;
}

describe("plumbline init --sources", () => {
  it("sets up a client in the sources of an application", async () => {
    const folder = await folderWith(application);
    const { code, out, error } = await plumbline(["init", "openapi.yaml", "--sources", "src/api"], { in: folder });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toBe(`wrote    plumbline.yaml
changed  package.json: dependencies.@plumbline/client-runtime, devDependencies.plumbline

Next:
  npm install
  npx plumbline generate
`);
    expect(await filesOf(folder)).toEqual({
      ...application,
      "package.json": `{
  "name": "shop",
  "dependencies": {
    "vue": "^3.5.0",
    "@plumbline/client-runtime": "^${version}"
  },
  "devDependencies": {
    "plumbline": "^${version}"
  }
}
`,
      "plumbline.yaml": `# yaml-language-server: $schema=./node_modules/plumbline/plumbline.schema.json
# The files that \`plumbline generate\` writes for each description. Paths are relative to this file.
# minimal: only problems that prevent generation are errors. strict: all rules of the linter apply.
ruleset: minimal
descriptions:
  - description: openapi.yaml
    # Overlays extend a description without changing its file:
    # overlays: [limits.overlay.yaml] # beside this file
    artifacts:
      client: {sources: src/api, importExtension: none}
`,
    });
  });

  it("makes an application that compiles and sends requests", async () => {
    const folder = await folderWith({ ...application, "src/api/mine.ts": "export const mine = 1;\n" });
    await plumbline(["init", "openapi.yaml", "--sources", "src/api"], { in: folder });
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
    expect(await compileProject("tsconfig.json", { in: folder })).toEqual({ code: 0, out: "", error: "" });

    const outfile = path.join(folder, "dist/main.mjs");
    await build({ entryPoints: [path.join(folder, "src/main.ts")], outfile, bundle: true, format: "esm" });
    const { readPets } = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
      readonly readPets: (baseUrl: string) => Promise<unknown>;
    };
    const server = await startLoopback();
    onTestFinished(server.close);
    server.answer({ status: 200, headers: { "content-type": "application/json" }, body: '[{"id": 1}]' });
    expect(await readPets(server.url)).toEqual([{ id: 1 }]);
    expect(server.last().line).toBe("GET /pets");
    server.answer({ status: 400 });
    expect(await readPets(server.url)).toEqual([]);
  });

  it("has the exports of the package, beside files of the user", async () => {
    const own = { "src/api/mine.ts": "export const mine = 1;\n" };
    const folder = await folderWith({ ...application, ...own });
    await plumbline(["init", "openapi.yaml", "--sources", "src/api"], { in: folder });
    await plumbline(["generate"], { in: folder });
    const files = await filesOf(folder);
    expect(files).toMatchObject(own);

    const again = await plumbline(["generate", "--json"], { in: folder });
    expect(JSON.parse(again.out)).toMatchObject({ written: [], removed: [] });
    expect(await plumbline(["generate", "--check"], { in: folder })).toMatchObject({ code: 0 });
    expect(await filesOf(folder)).toEqual(files);

    await plumbline(["generate", "--spec", "openapi.yaml", "--out", "made", "--only", "client"], { in: folder });
    const index = await readFile(path.join(folder, "made/client/src/gen/index.ts"), "utf8");
    expect(files["src/api/index.ts"]).toBe(index.replaceAll('.js";', '";'));
  });

  it("never overwrites a file of the user", async () => {
    const own = { "src/api/index.ts": "export const mine = 1;\n" };
    const folder = await folderWith({ ...application, ...own });
    await plumbline(["init", "openapi.yaml", "--sources", "src/api"], { in: folder });
    const before = await filesOf(folder);
    const { code, error } = await plumbline(["generate"], { in: folder });
    expect(code).toBe(1);
    expect(error).toContain("src/api/index.ts");
    expect(await filesOf(folder)).toEqual(before);
  });

  it("names the command that installs the runtime where there is no package.json", async () => {
    const folder = await folderWith({ "openapi.yaml": pets, "pnpm-lock.yaml": "" });
    const { out } = await plumbline(["init", "openapi.yaml", "--sources", "src/api", "--json"], { in: folder });
    expect(JSON.parse(out)).toEqual({
      written: ["plumbline.yaml"],
      changed: [],
      added: [],
      unignored: [],
      next: ["pnpm add -D plumbline", "pnpm add @plumbline/client-runtime", "pnpm exec plumbline generate"],
    });
  });

  it("keeps the entries that a package.json has", async () => {
    const manifest = '{"dependencies": {"@plumbline/client-runtime": "0.1.0", "plumbline": "0.1.0"}}\n';
    const folder = await folderWith({ ...application, "package.json": manifest });
    const { out } = await plumbline(["init", "openapi.yaml", "--sources", "src/api"], { in: folder });
    expect(out).toBe("wrote    plumbline.yaml\n\nNext:\n  npm install\n  npx plumbline generate\n");
    expect(await filesOf(folder)).toMatchObject({ "package.json": manifest });
  });

  it.each([
    ["spec/plumbline.yaml", "      client: {sources: ../src/api}"],
    ["plumbline.yaml", "      client: {sources: src/api}"],
  ])("does not overwrite %s, and says what to add", async (config, line) => {
    const folder = await folderWith({ ...application, [config]: "" });
    const before = await filesOf(folder);
    const { code, out, error } = await plumbline(["init", "openapi.yaml", "--sources", "src/api"], { in: folder });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toContain("This file exists already. Nothing was changed.");
    expect(error).toContain(`\n${line}\n`);
    expect(await filesOf(folder)).toEqual(before);
  });

  it("sets up the artifacts that are asked for, and they compile together", async () => {
    const checking = `import { inputOf, listPets } from "./api/validator";
import { validator } from "./api/validator/express";
import { createServer } from "./api/server";

export const checks = validator();
export const serverOf = (...given: Parameters<typeof createServer>) => createServer(...given);
export const read = (request: object) => inputOf(listPets, request);
`;
    const tsconfig = application["tsconfig.json"].replace('"noUnusedParameters": true', '"noUnusedParameters": false');
    const folder = await folderWith({
      ...application,
      "tsconfig.json": tsconfig,
      "src/main.ts": main.replaceAll("./api", "./api/client"),
      "src/checking.ts": checking,
    });
    const artifacts = ["--artifacts", "server,client,validator"];
    const { out } = await plumbline(["init", "openapi.yaml", "--sources", "src/api", ...artifacts], { in: folder });
    expect(out).toContain(
      "package.json: dependencies.@plumbline/client-runtime, dependencies.@plumbline/server-runtime, devDependencies.plumbline\n",
    );
    expect(await readFile(path.join(folder, "plumbline.yaml"), "utf8")).toContain(`    artifacts:
      client: {sources: src/api/client, importExtension: none}
      validator: {sources: src/api/validator, importExtension: none}
      server: {sources: src/api/server, importExtension: none}
`);
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
    expect(await compileProject("tsconfig.json", { in: folder })).toEqual({ code: 0, out: "", error: "" });
  });

  it("puts one artifact directly in the folder", async () => {
    const folder = await folderWith({ "openapi.yaml": pets });
    const init = ["init", "openapi.yaml", "--sources", "src/checks", "--artifacts", "validator"];
    const { out } = await plumbline([...init, "--json"], { in: folder });
    expect(JSON.parse(out)).toMatchObject({ next: expect.arrayContaining(["npm install @plumbline/server-runtime"]) });
    const { error } = await plumbline(init, { in: folder });
    expect(error).toContain("\n      validator: {sources: src/checks}\n");
  });

  it.each([
    ["--scope=@shop", "--sources sets up no packages. Leave out --scope."],
    ["--adapter=hono", "--sources sets up no packages. Leave out --adapter."],
    [
      "--artifacts=client,mock",
      "The artifact mock has more than sources. --sources sets up client, validator, server.",
    ],
  ])("does not go with %s", async (option, message) => {
    const folder = await folderWith(application);
    const { code, error } = await plumbline(["init", "openapi.yaml", "--sources", "src/api", option], { in: folder });
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(await filesOf(folder)).toEqual(application);
  });
});
