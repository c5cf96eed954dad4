import { expect, test } from "vitest";
import { buildFixtureApi } from "../openapi/testing.js";
import { printManagedJson, type ManagedJsonFile } from "./files.js";
import { emitPackageFiles, type PackageContents } from "./package-files.js";

const description = 'openapi: 3.1.0\ninfo: {title: "Pets\\n& more", version: "1.2"}\npaths: {}\n';
const contents: PackageContents = {
  description: (title) => `A list of ${title}`,
  keyword: "list",
  entries: { ".": "index", "./pets": "gen/pets" },
  dependencies: { "pet-runtime": "^1.0.0" },
  index: "export {};\n",
  readme: { template: "# {{{package}}}: {{{title}}} {{{version}}}, {{{count}}}\n", data: { count: 3 } },
};

test("a package has its keys in one order, and an entry point for each module", async () => {
  const api = await buildFixtureApi(description);
  const [manifest, compiler, index, readme] = emitPackageFiles(api, { package: "pets", private: true }, contents);
  expect(JSON.stringify(manifest)).toBe(
    JSON.stringify({
      path: "package.json",
      managedKeys: {
        name: "pets",
        description: "A list of Pets & more",
        apiVersion: "1.2",
        type: "module",
        private: true,
        sideEffects: false,
        main: "./dist/index.js",
        types: "./dist/index.d.ts",
        exports: {
          ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
          "./pets": { types: "./dist/gen/pets.d.ts", default: "./dist/gen/pets.js" },
          "./package.json": "./package.json",
        },
        files: ["dist", "src"],
        scripts: { build: "tsc -p tsconfig.json", typecheck: "tsc -p tsconfig.json --noEmit" },
        dependencies: { "pet-runtime": "^1.0.0" },
        engines: { node: "^20.19.0 || ^22.12.0 || >=24.0.0" },
      },
      defaults: { version: "0.1.0", license: "MIT", keywords: ["openapi", "list"] },
    }),
  );
  expect(compiler).toMatchObject({ path: "tsconfig.json", text: expect.stringContaining('"types": []') });
  expect(index).toEqual({ path: "src/index.ts", text: "export {};\n" });
  expect(readme).toEqual({ path: "README.md", text: "# pets: Pets & more 1.2, 3\n" });
});

test("a package with a command leaves the dependencies to its hand-written sources", async () => {
  const api = await buildFixtureApi(description);
  const [manifest, compiler] = emitPackageFiles(
    api,
    { package: "pets", private: false },
    { ...contents, command: { name: "pets", file: "bin/pets.js" }, folders: ["bin"], usesNode: true },
  );
  const { managedKeys, defaults } = manifest as Exclude<typeof manifest, undefined | { readonly text: string }>;
  expect(managedKeys).toMatchObject({ bin: { pets: "bin/pets.js" }, files: ["bin", "dist", "src"] });
  expect(Object.keys(managedKeys)).not.toContain("dependencies");
  expect(defaults["dependencies"]).toEqual({ "pet-runtime": "^1.0.0" });
  expect(compiler).toMatchObject({ text: expect.stringMatching(/"types": \[\s*"node"\s*\]/) });
});

test("a package keeps the version ranges of other generated packages, which the user releases", async () => {
  const api = await buildFixtureApi(description);
  const options = { package: "pets", private: false };
  const [manifest] = emitPackageFiles(api, options, { ...contents, siblings: ["pet-server"] });
  const dependenciesAfter = (onDisk?: object) =>
    (JSON.parse(printManagedJson(manifest as ManagedJsonFile, { ...onDisk })) as { readonly dependencies: object })
      .dependencies;
  expect(dependenciesAfter()).toEqual({ "pet-server": "^0.1.0", "pet-runtime": "^1.0.0" });
  expect(
    dependenciesAfter({ dependencies: { "pet-server": "^0.2.0", "pet-runtime": "^0.9.0", old: "1.0.0" } }),
  ).toEqual({
    "pet-server": "^0.2.0",
    "pet-runtime": "^1.0.0",
  });
});

test("a package names the peers of its optional entry points", async () => {
  const api = await buildFixtureApi(description);
  const options = { package: "pets", private: false };
  const [manifest] = emitPackageFiles(api, options, { ...contents, optionalPeers: { vitest: ">=3.2.0" } });
  expect(manifest).toMatchObject({
    managedKeys: { peerDependencies: { vitest: ">=3.2.0" }, peerDependenciesMeta: { vitest: { optional: true } } },
  });
});
