import { describe, expect, it } from "vitest";
import { readImports, type Source } from "./support/imports.js";
import { violations, type Exemption } from "./support/import-rules.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

/** Exempt imports. An unused entry fails. */
const exemptions: readonly Exemption[] = [];

/** Files of more than 400 lines, each with the reason. An unused entry fails. */
const longFiles: Readonly<Record<string, string>> = {
  "generators/src/model/api.ts":
    "The complete model, type after type: authors of generators read it from top to bottom.",
};

const defaultExports: Readonly<Record<string, string>> = {
  "test/generators/postman.mjs": "A generator is the default export of its module.",
  "test/run/errors-reporter.mjs": "Vitest reads a reporter from the default export.",
  ...Object.fromEntries(
    [
      "generators",
      "test",
      "packages/client-runtime",
      "packages/validator-runtime",
      "packages/server-runtime",
      "packages/conformance-runtime",
      "packages/service",
    ].map((folder) => [`${folder}/vitest.config.ts`, "Vitest reads its configuration from the default export."]),
  ),
};

const code = trackedFiles().filter((file) => /\.(ts|mts|js|mjs)$/.test(file) && !file.startsWith("test/descriptions/"));
const sources = code.map((file) => readImports(file, readTracked(file)));

describe("the layout", () => {
  it("has imports in one direction only", () => {
    const product = sources.filter(({ file }) => /^(generators|packages\/[^/]+)\/src\//.test(file) && !isTest(file));
    expect(product.length).toBeGreaterThan(60);
    expect(violations(product, exemptions)).toEqual([]);
  });

  it("has named exports only", () => {
    const found = sources.filter((each) => each.hasDefaultExport).map(({ file }) => file);
    expect(unexplained(found, defaultExports)).toEqual([]);
  });

  it("has meaningful names", () => {
    expect(vagueNames(trackedFiles())).toEqual([]);
  });

  it("has files that fit one idea", () => {
    // Generated code has one file per tag, and tests are lists of cases: readers jump to one part of either.
    const read = sources.filter(({ file }) => !file.includes("/src/gen/") && !isTest(file));
    const long = read.filter(({ lines }) => lines > 400).map(({ file }) => file);
    expect(unexplained(long, longFiles)).toEqual([]);
  });
});

describe("a layout that goes wrong is caught where", () => {
  const catches = (file: string, text: string) => violations([readImports(file, text)], []);

  it.each([
    ["the model reads a library", "generators/src/model/a.ts", 'import { parse } from "yaml";', "yaml"],
    [
      "the model knows files",
      "generators/src/model/a.ts",
      'import { print } from "../emit/printer.js";',
      "generators/src/emit/printer.ts",
    ],
    [
      "the model knows a rule",
      "generators/src/model/a.ts",
      'import { lint } from "../spec/lint.js";',
      "generators/src/spec/lint.ts",
    ],
    [
      "a reader knows the model",
      "generators/src/spec/load.ts",
      'import type { Api } from "../model/api.js";',
      "generators/src/model/api.ts",
    ],
    ["a rule opens a file", "generators/src/spec/rules/a.ts", 'import { readFileSync } from "node:fs";', "node:fs"],
    ["the printer opens a file", "generators/src/emit/printer.ts", 'const fs = await import("node:fs");', "node:fs"],
    [
      "emit runs code of the model",
      "generators/src/emit/a.ts",
      'import { freeze } from "../model/api.js";',
      "generators/src/model/api.ts",
    ],
    [
      "an artifact touches the disk",
      "generators/src/client/a.ts",
      'export { write } from "../emit/writer.js";',
      "generators/src/emit/writer.ts",
    ],
    [
      "an artifact opens a file",
      "generators/src/client/a.ts",
      'import { open } from "node:fs/promises";',
      "node:fs/promises",
    ],
    [
      "an artifact knows another",
      "generators/src/server/a.ts",
      'import { banner } from "../client/banner.js";',
      "generators/src/client/banner.ts",
    ],
    [
      "an artifact reads OpenAPI",
      "generators/src/server/a.ts",
      'type A = import("../spec/spec-node.js").SpecNode;',
      "generators/src/spec/spec-node.ts",
    ],
    [
      "the program loads what is computed",
      "generators/src/trace-requirements.ts",
      "await import(name);",
      "something computed",
    ],
    [
      "a diagnostic knows its cause",
      "generators/src/diagnostic.ts",
      'import "./spec/spec-node.js";',
      "generators/src/spec/spec-node.ts",
    ],
    ["generated code has a dependency", "packages/client/src/gen/a.ts", 'import { z } from "zod";', "zod"],
    [
      "generated code is not alone",
      "packages/client/src/gen/a.ts",
      'import "../mine.js";',
      "packages/client/src/mine.ts",
    ],
    ["a runtime needs a package", "packages/client-runtime/src/a.ts", 'const z = require("zod");', "zod"],
    [
      "a runtime needs Node",
      "packages/client-runtime/src/a.ts",
      'import { Buffer } from "node:buffer";',
      "node:buffer",
    ],
    [
      "a feature calls handlers of another",
      "packages/service/src/features/images/handlers.ts",
      'import { instanceHandlers } from "../instances/handlers.js";',
      "packages/service/src/features/instances/handlers.ts",
    ],
    [
      "a feature knows the insides of another",
      "packages/service/src/features/kube/nodes.ts",
      'import { cancelClonesTo } from "../instances/clones.js";',
      "packages/service/src/features/instances/clones.ts",
    ],
    [
      "a feature calls one that calls it",
      "packages/service/src/features/instances/lifecycle.ts",
      'import { removeNodeOfInstance } from "../kube/lifecycle.js";',
      "packages/service/src/features/kube/lifecycle.ts",
    ],
    [
      "a feature knows a type of one that calls it",
      "packages/service/src/features/backups/schedule.ts",
      'import type { InstanceHooks } from "../instances/lifecycle.js";',
      "packages/service/src/features/instances/lifecycle.ts",
    ],
    [
      "rules of a feature call its handlers",
      "packages/service/src/features/tags/lifecycle.ts",
      'import { tagHandlers } from "./handlers.js";',
      "packages/service/src/features/tags/handlers.ts",
    ],
    [
      "rules of a feature call its jobs",
      "packages/service/src/features/kube/nodes.ts",
      'import { kubeJobs } from "./jobs.js";',
      "packages/service/src/features/kube/jobs.ts",
    ],
    [
      "the server of the service knows handlers",
      "packages/service/src/server/resources.ts",
      'import { profileHandlers } from "../features/profile/handlers.js";',
      "packages/service/src/features/profile/handlers.ts",
    ],
    [
      "a test control knows the insides of a feature",
      "packages/service/src/controls/instances.ts",
      'import { setStatus } from "../features/instances/power.js";',
      "packages/service/src/features/instances/power.ts",
    ],
    [
      "the platform calls a feature",
      "packages/service/src/platform/jobs.ts",
      'import { deleteInstance } from "../features/instances/lifecycle.js";',
      "packages/service/src/features/instances/lifecycle.ts",
    ],
    [
      "a feature writes SQL",
      "packages/service/src/features/tags/handlers.ts",
      'import { sql } from "kysely";',
      "kysely",
    ],
    [
      "the access of the service calls a feature",
      "packages/service/src/access/grants.ts",
      'import { ensureTags } from "../features/tags/lifecycle.js";',
      "packages/service/src/features/tags/lifecycle.ts",
    ],
  ])("%s", (_, file, text, from) => {
    expect(catches(file, text)).toEqual([`${file}: ${from}`]);
  });

  it("a new folder of a package has no layer", () => {
    expect(catches("packages/novel/src/a.ts", "")).toEqual(["packages/novel/src/a.ts: has no layer in the table"]);
  });

  it("accepts a valid layout", () => {
    const files: readonly Source[] = [
      readImports("generators/src/server/limits.ts", 'import { limits } from "../model/limits.js"; import "./a.js";'),
      readImports("generators/src/emit/a.ts", 'import type { Api } from "../model/api.js";'),
      readImports(
        "packages/service/src/features/kube/nodes.ts",
        'import { deleteInstance } from "../instances/lifecycle.js"; import "./pools.js";',
      ),
      readImports(
        "packages/client/src/gen/a/b.ts",
        'import { call } from "@plumbline/client-runtime"; export * from "../c.js";',
      ),
    ];
    expect(violations(files, [])).toEqual([]);
  });

  it("an exemption is not needed", () => {
    const idle = { file: "generators/src/client/a.ts", from: "node:fs", because: "It was, once." };
    expect(violations([], [idle])).toEqual(["generators/src/client/a.ts: node:fs is exempt without need"]);
    expect(violations([readImports(idle.file, 'import "node:fs";')], [idle])).toEqual([]);
  });

  it("an export is the default, however it is written", () => {
    const texts = [
      "export default 1;",
      "export default class A {}",
      "const a = 1; export { a as default };",
      "export = 1;",
    ];
    expect(texts.map((text) => readImports("a.ts", text).hasDefaultExport)).toEqual([true, true, true, true]);
    expect(readImports("a.ts", "switch (a) { default: }").hasDefaultExport).toBe(false);
  });

  it("a name is meaningless", () => {
    const names = [
      "src/utils.ts",
      "src/string-utils.ts",
      "src/base.ts",
      "src/helpers/a.ts",
      "src/JobManager.ts",
      "src/database.ts",
    ];
    expect(vagueNames(names)).toEqual(names.slice(0, -1));
  });

  it("a long file has no reason, or a reason no long file", () => {
    expect(unexplained(["a.ts", "b.ts"], { "b.ts": "…", "c.ts": "…" })).toEqual(["a.ts", "c.ts needs no entry"]);
  });
});

function isTest(file: string): boolean {
  return /\.(test|support)\.ts$/.test(file);
}

const vague: ReadonlySet<string> = new Set(["util", "utils", "helper", "helpers", "manager", "managers", "base"]);

function vagueNames(files: readonly string[]): readonly string[] {
  const wordsOf = (name: string) =>
    name
      .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .split(/[^a-z]+/);
  const isVague = (name: string) => !isBaseConfig(name) && wordsOf(name).some((word) => vague.has(word));
  return files.filter((file) => file.split("/").some(isVague));
}

/** What other configurations extend is called so by everybody. */
function isBaseConfig(name: string): boolean {
  return name === "tsconfig.base.json";
}

function unexplained(found: readonly string[], reasons: Readonly<Record<string, string>>): readonly string[] {
  const idle = Object.keys(reasons).filter((file) => !found.includes(file));
  return [...found.filter((file) => !Object.hasOwn(reasons, file)), ...idle.map((file) => `${file} needs no entry`)];
}
