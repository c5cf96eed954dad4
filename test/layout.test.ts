import path from "node:path";
import { describe, expect, it } from "vitest";
import { readImports, type Source } from "./support/imports.js";
import { findImportCircles } from "./support/import-circles.js";
import { violations, type Exemption } from "./support/import-rules.js";
import { filesKnowing, filesStating, knownKeywords, statedFacts } from "./support/stated-facts.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

/** Exempt imports. An unused entry fails. */
const exemptions: readonly Exemption[] = [];

/** Files of more than 400 lines, each with the reason. An unused entry fails. */
const longFiles: Readonly<Record<string, string>> = {
  "packages/model/src/api.ts": "The complete model, type after type: authors of generators read it from top to bottom.",
};

const maxFilesPerFolder = 20;

/** As few as in the best generators: ajv has five, ogen fifteen. */
const maxFilesPerKeyword = 10;

/** Folders with more source files than allowed, each with the reason. An unused entry fails. */
const largeFolders: Readonly<Record<string, string>> = {};

/** Folders whose files may import each other in circles, each with the reason. An unused entry fails. */
const circularFolders: Readonly<Record<string, string>> = {
  "packages/codegen/src/validation/compile": "A recursive compiler: a schema holds schemas of every kind.",
  "packages/diff/src/schemas": "A recursive comparison: a schema holds schemas of every kind.",
};

const generators = [
  "client",
  "conformance",
  "description",
  "handlers",
  "mcp",
  "mock",
  "server",
  "site",
  "types",
  "validator",
];

const defaultExports: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...["markdown", "postman", "wrapped"].map((name) => `test/generators/${name}.mjs`),
      "packages/plumbline/docs/generator-template/generator.mjs",
      ...generators.map((name) => `generators/${name}/src/index.ts`),
    ].map((file) => [file, "A generator is the default export of its module."]),
  ),
  "test/run/errors-reporter.mjs": "Vitest reads a reporter from the default export.",
  ...Object.fromEntries(
    [
      ...generators.map((name) => `generators/${name}`),
      ...["codegen", "codemods", "diff", "model", "openapi", "plumbline"].map((name) => `packages/${name}`),
      "test",
      "packages/client-runtime",
      "packages/command-line",
      "packages/http-runtime",
      "packages/validator-runtime",
      "packages/server-runtime",
      "packages/conformance-runtime",
      "packages/mcp-runtime",
      "packages/mock-runtime",
      "packages/service",
    ].map((folder) => [`${folder}/vitest.config.ts`, "Vitest reads its configuration from the default export."]),
  ),
};

/** Without the sample applications of migrations, which contain what other tools generate. */
const tracked = trackedFiles().filter((file) => !/^test\/migrations\/[^/]+\/before\//.test(file));
const code = tracked.filter((file) => /\.(ts|mts|js|mjs)$/.test(file) && !file.startsWith("test/descriptions/"));
const sources = code.map((file) => readImports(file, readTracked(file)));
const product = sources.filter(({ file }) => /^(packages|generators)\/[^/]+\/src\//.test(file) && !isTest(file));
const handWritten = product.filter(({ file }) => !file.includes("/src/gen/"));
const handWrittenTexts = handWritten.map(({ file }) => ({ file, text: readTracked(file) }));

describe("the layout", () => {
  it("has imports in one direction only", () => {
    expect(product.length).toBeGreaterThan(60);
    expect(violations(product, exemptions)).toEqual([]);
  });

  it("has no import circles, types included", () => {
    expect(handWritten.length).toBeGreaterThan(60);
    expect(unexplainedCircles(findImportCircles(handWritten), circularFolders)).toEqual([]);
  });

  it("has folders that a reader can survey", () => {
    expect(unexplained(foldersAbove(maxFilesPerFolder, handWritten), largeFolders)).toEqual([]);
  });

  it("has named exports only", () => {
    const found = sources.filter((each) => each.hasDefaultExport).map(({ file }) => file);
    expect(unexplained(found, defaultExports)).toEqual([]);
  });

  it("has meaningful names", () => {
    expect(vagueNames(tracked)).toEqual([]);
  });

  it("has files that fit one idea", () => {
    // Generated code has one file per tag, and tests are lists of cases: readers jump to one part of either.
    const read = sources.filter(({ file }) => !file.includes("/src/gen/") && !isTest(file));
    const long = read.filter(({ lines }) => lines > 400).map(({ file }) => file);
    expect(unexplained(long, longFiles)).toEqual([]);
  });
});

describe("a keyword of JSON Schema", () => {
  it.each(knownKeywords)("%s is known to few files", (keyword) => {
    const files = filesKnowing(keyword, handWrittenTexts);
    expect(files).toContain("packages/model/src/keywords/keywords.ts");
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(maxFilesPerKeyword);
  });

  it("is known wherever code or a message has it", () => {
    const texts = [
      "const { maxLength } = schema;",
      'const keywords = ["maxLength"];',
      "const fix = `Add maxLength to ${name}.`;",
      "interface Schema { readonly maxLength?: number }",
      "// maxLength",
      "const maxLengths = 1;",
    ];
    const filesOf = (all: readonly string[]) => all.map((text, index) => ({ file: `${index}.ts`, text }));
    expect(filesKnowing("maxLength", filesOf(texts))).toEqual(["0.ts", "1.ts", "2.ts", "3.ts"]);
    const minimum = [
      'const says = "the minimum is accepted";',
      "const low = schema.minimum;",
      'const keys = ["minimum"];',
    ];
    expect(filesKnowing("minimum", filesOf(minimum))).toEqual(["1.ts", "2.ts"]);
  });
});

describe("a fact is stated once", () => {
  it.each(statedFacts)("$fact", (fact) => {
    expect(unexplained(filesStating(fact, handWrittenTexts), fact.files)).toEqual([]);
  });

  it.each([
    [
      "which values are JSON objects",
      'const isRecord = typeof value === "object" && value !== null && !isList(value);',
    ],
    ["which values are of a type of JSON Schema", 'case "integer":\n  return Number.isInteger(value);'],
    ["what a generated package.json holds", 'return [{ path: "package.json", text }];'],
    ["which versions of Node generated packages run in", 'const engines = { node: "^20.19.0 || >=22" };'],
    ["how any name is assigned safely", 'if (key === "__proto__") { Object.defineProperty(value, key, {}); }'],
    ["how far two names are apart", "function editDistance(a: string, b: string): number {}"],
    ["where limits stand in a description", "const collectLimits = (api: Api) => [];"],
    ["by which key requests are counted", "export function rateKey(id: string): string {}"],
    ["how many characters a text has", "function characterCount(text: string): number {}"],
  ])("%s, and a second statement is found", (name, text) => {
    const found = statedFacts.filter((fact) => filesStating(fact, [{ file: "second.ts", text }]).length > 0);
    expect(found.map(({ fact }) => fact)).toEqual([name]);
    expect(unexplained(["second.ts"], found[0]?.files ?? {})).toContain("second.ts");
  });
});

describe("a layout that goes wrong is caught where", () => {
  const catches = (file: string, text: string) => violations([readImports(file, text)], []);

  it.each([
    ["the model reads a library", "packages/model/src/a.ts", 'import { parse } from "yaml";', "yaml"],
    [
      "the model knows descriptions",
      "packages/model/src/a.ts",
      'import { lint } from "@plumbline/openapi";',
      "@plumbline/openapi",
    ],
    [
      "a reader knows the kit",
      "packages/openapi/src/read/load.ts",
      'import type { Code } from "@plumbline/codegen";',
      "@plumbline/codegen",
    ],
    [
      "a rule opens a file",
      "packages/openapi/src/lint/rules/a.ts",
      'import { readFileSync } from "node:fs";',
      "node:fs",
    ],
    [
      "Redocly leaves the linter",
      "packages/openapi/src/read/load.ts",
      'import { bundle } from "@redocly/openapi-core";',
      "@redocly/openapi-core",
    ],
    ["the printer opens a file", "packages/codegen/src/printer.ts", 'const fs = await import("node:fs");', "node:fs"],
    [
      "the kit knows a generator",
      "packages/codegen/src/a.ts",
      'import client from "@plumbline/generator-client";',
      "@plumbline/generator-client",
    ],
    [
      "the kit reads descriptions",
      "packages/codegen/src/a.ts",
      'export { loadDescription } from "@plumbline/openapi";',
      "@plumbline/openapi",
    ],
    [
      "a difference knows output",
      "packages/diff/src/a.ts",
      'import type { Code } from "@plumbline/codegen";',
      "@plumbline/codegen",
    ],
    [
      "a generator opens a file",
      "generators/client/src/a.ts",
      'import { open } from "node:fs/promises";',
      "node:fs/promises",
    ],
    [
      "a generator knows another",
      "generators/server/src/a.ts",
      'import client from "@plumbline/generator-client";',
      "@plumbline/generator-client",
    ],
    [
      "a generator reaches into another",
      "generators/server/src/a.ts",
      'import { banner } from "../../client/src/banner.js";',
      "generators/client/src/banner.ts",
    ],
    ["a generator knows the command", "generators/server/src/a.ts", 'import { main } from "plumbline";', "plumbline"],
    [
      "a generator reads OpenAPI",
      "generators/server/src/a.ts",
      'type A = import("@plumbline/openapi").SpecNode;',
      "@plumbline/openapi",
    ],
    [
      "a suite runs code of its runtime",
      "generators/conformance/src/a.ts",
      'import { readSuite } from "@plumbline/conformance-runtime";',
      "@plumbline/conformance-runtime",
    ],
    [
      "the command loads what is computed",
      "packages/plumbline/src/trace-requirements.ts",
      "await import(name);",
      "something computed",
    ],
    [
      "the command knows a generator",
      "packages/plumbline/src/pipeline.ts",
      'import client from "@plumbline/generator-client";',
      "@plumbline/generator-client",
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
      "a request knows its run",
      "packages/conformance-runtime/src/http/a.ts",
      'import type { RunContext } from "../run/run-context.js";',
      "packages/conformance-runtime/src/run/run-context.ts",
    ],
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
    [
      "an adapter knows a condition",
      "packages/server-runtime/src/adapters/koa/index.ts",
      'import type { Condition } from "../../conditions/conditions.js";',
      "packages/server-runtime/src/conditions/conditions.ts",
    ],
    [
      "a condition knows a request",
      "packages/server-runtime/src/conditions/a.ts",
      'import type { RequestEvaluation } from "../request/request-evaluation.js";',
      "packages/server-runtime/src/request/request-evaluation.ts",
    ],
    [
      "a response knows a step",
      "packages/server-runtime/src/response/a.ts",
      'import { authenticate } from "../steps/authentication.js";',
      "packages/server-runtime/src/steps/authentication.ts",
    ],
    [
      "what runtimes share knows a validator",
      "packages/http-runtime/src/routing/a.ts",
      'import { isDate } from "@plumbline/validator-runtime";',
      "@plumbline/validator-runtime",
    ],
  ])("%s", (_, file, text, from) => {
    expect(catches(file, text)).toEqual([`${file}: ${from}`]);
  });

  it("a new folder of a package has no layer", () => {
    expect(catches("packages/novel/src/a.ts", "")).toEqual(["packages/novel/src/a.ts: has no layer in the table"]);
  });

  it("accepts a valid layout", () => {
    const files: readonly Source[] = [
      readImports(
        "generators/server/src/limits/limits.ts",
        'import { memoize } from "@plumbline/model"; import "../a.js";',
      ),
      readImports("packages/codegen/src/a.ts", 'import type { Api } from "@plumbline/model";'),
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

  const circlesOf = (imports: Readonly<Record<string, readonly string[]>>) =>
    findImportCircles(
      Object.entries(imports).map(([file, texts]) => readImports(`packages/a/src/${file}`, texts.join("\n"))),
    );
  const [one, two, three] = ["packages/a/src/one.ts", "packages/a/src/two.ts", "packages/a/src/b/three.ts"] as const;

  it("a file imports what imports it", () => {
    expect(circlesOf({ "one.ts": ['import "./two.js";'], "two.ts": ['import "./one.js";'] })).toEqual([[one, two]]);
    expect(circlesOf({ "one.ts": ['import "./one.js";'] })).toEqual([[one]]);
    expect(
      circlesOf({ "one.ts": ['import "./two.js";'], "two.ts": ['import "node:fs"; import "./absent.js";'] }),
    ).toEqual([]);
  });

  it("a circle closes over types, re-exports and other folders", () => {
    const circle = {
      "one.ts": ['import type { Two } from "./two.js";'],
      "two.ts": ['export * from "./b/three.js";'],
      "b/three.ts": ['export type Three = import("../one.js").One;'],
      "before.ts": ['import "./one.js";'],
    };
    expect(circlesOf(circle)).toEqual([[three, one, two]]);
    expect(circlesOf({ ...circle, "b/three.ts": ['import "./after.js";'], "b/after.ts": [] })).toEqual([]);
  });

  it("two circles are separate until they share a file", () => {
    const pairs = {
      "one.ts": ['import "./two.js";'],
      "two.ts": ['import "./one.js";'],
      "b/three.ts": ['import "./four.js"; import "../one.js";'],
      "b/four.ts": ['import "./three.js";'],
    };
    expect(circlesOf(pairs).map(({ length }) => length)).toEqual([2, 2]);
    expect(circlesOf({ ...pairs, "two.ts": ['import "./one.js"; import "./b/four.js";'] })).toHaveLength(1);
  });

  it("a circle leaves the folder that is exempt", () => {
    const within = [three, "packages/a/src/b/four.ts"];
    const leaving = [three, one];
    expect(unexplainedCircles([within, leaving], { "packages/a/src/b": "…" })).toEqual([leaving.join(" ↔ ")]);
    expect(unexplainedCircles([leaving], { "packages/a/src": "…" })).toEqual([]);
    expect(unexplainedCircles([leaving], { "packages/a/src/b": "…" })).toEqual([
      leaving.join(" ↔ "),
      "packages/a/src/b needs no entry",
    ]);
  });

  it("a folder has one file too many", () => {
    const folder = (count: number) =>
      Array.from({ length: count }, (_, index) => readImports(`packages/a/src/b/${index}.ts`, ""));
    const elsewhere = readImports(one, "");
    expect(foldersAbove(20, [...folder(20), elsewhere])).toEqual([]);
    expect(foldersAbove(20, [...folder(21), elsewhere])).toEqual(["packages/a/src/b"]);
  });

  it("an exemption is not needed", () => {
    const idle = { file: "generators/client/src/a.ts", from: "node:fs", because: "It was, once." };
    expect(violations([], [idle])).toEqual(["generators/client/src/a.ts: node:fs is exempt without need"]);
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

function foldersAbove(limit: number, files: readonly Source[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { file } of files) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > limit).map(([folder]) => folder);
}

/** A circle is exempt when all its files are below one exempt folder. */
function unexplainedCircles(
  circles: readonly (readonly string[])[],
  reasons: Readonly<Record<string, string>>,
): readonly string[] {
  const folderOf = (circle: readonly string[]) =>
    Object.keys(reasons).find((folder) => circle.every((file) => file.startsWith(`${folder}/`)));
  const found = circles.map((circle) => folderOf(circle) ?? circle.join(" ↔ "));
  return unexplained(found, reasons);
}

function unexplained(found: readonly string[], reasons: Readonly<Record<string, string>>): readonly string[] {
  const idle = Object.keys(reasons).filter((file) => !found.includes(file));
  return [...found.filter((file) => !Object.hasOwn(reasons, file)), ...idle.map((file) => `${file} needs no entry`)];
}
