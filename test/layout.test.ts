import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findFolderCircles, findImportCircles } from "./support/import-circles.js";
import { violations, type Exemption } from "./support/import-rules.js";
import { place } from "./support/pets.js";
import { repository, temporaryFolder } from "./support/places.js";
import { readSource, type Source } from "./support/read-source.js";
import { findRepeatedNames } from "./support/repeated-names.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

/** Exempt imports. An unused entry fails. */
const exemptions: readonly Exemption[] = [];

/** Folders whose files may import each other in circles, each with the reason. An unused entry fails. */
const circularFolders: Readonly<Record<string, string>> = {
  "packages/kit/src/codegen/validation/compile": "A recursive compiler: a schema holds schemas of every kind.",
  "packages/kit/src/diff/schemas": "A recursive comparison: a schema holds schemas of every kind.",
};

/** Rooms whose folders import each other in circles, each with the reason. An unused entry fails. */
const circularRooms: Readonly<Record<string, string>> = {
  "packages/kit/src":
    "Converted types print conversions, which print types; both read and overlays know the codes of the linter.",
};

const generators = ["client", "conformance", "description", "handlers", "mcp", "mock", "server", "types", "validator"];

const defaultExports: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...["markdown", "postman", "wrapped"].map((name) => `test/generators/${name}.mjs`),
      "packages/plumbline/docs/generator-template/generator.mjs",
      ...generators.map((name) => `generators/src/${name}/index.ts`),
      "packages/site/src/index.ts",
    ].map((file) => [file, "A generator is the default export of its module."]),
  ),
  "test/run/errors-reporter.mjs": "Vitest reads a reporter from the default export.",
  "test/consumers/matrix/next/next.config.js": "Next.js reads its configuration from the default export.",
  ...Object.fromEntries(
    ["", "packages/service/", "test/"].map((folder) => [
      `${folder}vitest.config.ts`,
      "Vitest reads its configuration from the default export.",
    ]),
  ),
};

/** Without the sample applications of migrations, which contain what other tools generate. */
const tracked = trackedFiles().filter((file) => !/^test\/migrations\/[^/]+\/before\//.test(file));
const code = tracked.filter((file) => /\.(ts|mts|js|mjs)$/.test(file) && !file.startsWith("test/descriptions/"));
const codeTexts = code.map((file) => ({ file, text: readTracked(file) }));
const sources = codeTexts.map(({ file, text }) => readSource(file, text));
const product = sources.filter(({ file }) => /^(packages\/[^/]+|generators)\/src\//.test(file) && !isTest(file));
const handWritten = product.filter(({ file }) => !file.includes("/src/gen/"));

describe("the layout", () => {
  it("has imports in one direction only", () => {
    expect(product.length).toBeGreaterThan(60);
    expect(violations(product, exemptions)).toEqual([]);
  });

  it("has no import circles, types included", () => {
    expect(handWritten.length).toBeGreaterThan(60);
    expect(unexplainedCircles(findImportCircles(handWritten), circularFolders)).toEqual([]);
  });

  it("has no circles between sibling folders", () => {
    expect(unexplainedCircles(findFolderCircles(handWritten), circularRooms)).toEqual([]);
  });

  it("has named exports only", () => {
    const found = sources.filter((each) => each.hasDefaultExport).map(({ file }) => file);
    expect(unexplained(found, defaultExports)).toEqual([]);
  });

  it("has no `any` that a comment hides from the linter", () => {
    expect(codeTexts.filter(({ text }) => hidesAny(text)).map(({ file }) => file)).toEqual([]);
  });

  it("has meaningful names", () => {
    expect(vagueNames(tracked)).toEqual([]);
  });

  it("has no exported name twice under one subpath of a package", () => {
    const entries = subpathEntries(tracked);
    expect(entries.length).toBeGreaterThan(40);
    expect(handWritten.flatMap(({ exportedNames }) => exportedNames).length).toBeGreaterThan(1000);
    expect(findRepeatedNames(handWritten, entries)).toEqual([]);
  });

  it("has error classes whose instances have the name of the class", () => {
    expect(product.flatMap(({ errorClasses }) => errorClasses).length).toBeGreaterThan(40);
    expect(misnamedErrors(product)).toEqual([]);
  });
});

describe("a layout that goes wrong is caught where", () => {
  const catches = (file: string, text: string) => violations([readSource(file, text)], []);

  it.each([
    ["the model reads a library", "packages/kit/src/model/a.ts", 'import { parse } from "yaml";', "yaml"],
    [
      "the model knows descriptions",
      "packages/kit/src/model/a.ts",
      'import { lint } from "../openapi/lint/index.js";',
      "packages/kit/src/openapi/lint/index.ts",
    ],
    [
      "a reader knows the kit",
      "packages/kit/src/openapi/read/load.ts",
      'import type { Code } from "../../codegen/index.js";',
      "packages/kit/src/codegen/index.ts",
    ],
    [
      "a rule opens a file",
      "packages/kit/src/openapi/lint/rules/a.ts",
      'import { readFileSync } from "node:fs";',
      "node:fs",
    ],
    [
      "Redocly leaves the linter",
      "packages/kit/src/openapi/read/load.ts",
      'import { bundle } from "@redocly/openapi-core";',
      "@redocly/openapi-core",
    ],
    [
      "the printer opens a file",
      "packages/kit/src/codegen/printer.ts",
      'const fs = await import("node:fs");',
      "node:fs",
    ],
    [
      "the kit knows a generator",
      "packages/kit/src/codegen/a.ts",
      'import client from "@plumbline/generators/client";',
      "@plumbline/generators/client",
    ],
    [
      "the kit reads descriptions",
      "packages/kit/src/codegen/a.ts",
      'export { loadDescription } from "../openapi/index.js";',
      "packages/kit/src/openapi/index.ts",
    ],
    [
      "a difference knows output",
      "packages/kit/src/diff/a.ts",
      'import type { Code } from "../codegen/index.js";',
      "packages/kit/src/codegen/index.ts",
    ],
    [
      "a generator opens a file",
      "generators/src/client/a.ts",
      'import { open } from "node:fs/promises";',
      "node:fs/promises",
    ],
    [
      "a generator knows another",
      "generators/src/server/a.ts",
      'import client from "../client/index.js";',
      "generators/src/client/index.ts",
    ],
    [
      "a generator reaches into another",
      "generators/src/server/a.ts",
      'import { banner } from "../client/banner.js";',
      "generators/src/client/banner.ts",
    ],
    ["a generator knows the command", "generators/src/server/a.ts", 'import { main } from "plumbline";', "plumbline"],
    [
      "a generator reads OpenAPI",
      "generators/src/server/a.ts",
      'type A = import("@plumbline/kit/openapi").SpecNode;',
      "@plumbline/kit/openapi",
    ],
    [
      "a suite runs code of its runtime",
      "generators/src/conformance/a.ts",
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
      'import client from "@plumbline/generators/client";',
      "@plumbline/generators/client",
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
      "packages/server-runtime/src/server/adapters/koa/index.ts",
      'import type { Condition } from "../../conditions/conditions.js";',
      "packages/server-runtime/src/server/conditions/conditions.ts",
    ],
    [
      "a condition knows a request",
      "packages/server-runtime/src/server/conditions/a.ts",
      'import type { RequestEvaluation } from "../steps/request-evaluation.js";',
      "packages/server-runtime/src/server/steps/request-evaluation.ts",
    ],
    [
      "a response knows a step",
      "packages/server-runtime/src/server/response/a.ts",
      'import { authenticate } from "../steps/authentication.js";',
      "packages/server-runtime/src/server/steps/authentication.ts",
    ],
    [
      "what runtimes share knows a validator",
      "packages/server-runtime/src/http/routing/a.ts",
      'import { isDate } from "../../validator/index.js";',
      "packages/server-runtime/src/validator/index.ts",
    ],
  ])("%s", (_, file, text, from) => {
    expect(catches(file, text)).toEqual([`${file}: ${from}`]);
  });

  it("a new folder of a package has no layer", () => {
    expect(catches("packages/novel/src/a.ts", "")).toEqual(["packages/novel/src/a.ts: has no layer in the table"]);
  });

  it("accepts a valid layout", () => {
    const files: readonly Source[] = [
      readSource(
        "generators/src/server/limits/limits.ts",
        'import { memoize } from "@plumbline/kit/model"; import "../a.js";',
      ),
      readSource("packages/kit/src/codegen/a.ts", 'import type { Api } from "../model/index.js";'),
      readSource(
        "packages/service/src/features/kube/nodes.ts",
        'import { deleteInstance } from "../instances/lifecycle.js"; import "./pools.js";',
      ),
      readSource(
        "packages/client/src/gen/a/b.ts",
        'import { call } from "@plumbline/client-runtime"; export * from "../c.js";',
      ),
    ];
    expect(violations(files, [])).toEqual([]);
  });

  const circlesOf = (imports: Readonly<Record<string, readonly string[]>>) =>
    findImportCircles(
      Object.entries(imports).map(([file, texts]) => readSource(`packages/a/src/${file}`, texts.join("\n"))),
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

  it("sibling folders import each other, directly or through others", () => {
    const foldersOf = (imports: Readonly<Record<string, string>>) =>
      findFolderCircles(Object.entries(imports).map(([file, text]) => readSource(`packages/a/src/${file}`, text)));
    const steps = { "http/a.ts": 'import "../steps/b.js";', "steps/c.ts": 'import type { D } from "../access/d.js";' };
    expect(foldersOf(steps)).toEqual([]);
    expect(foldersOf({ ...steps, "access/in/e.ts": 'export * from "../../http/a.js";' })).toEqual([
      ["packages/a/src/access", "packages/a/src/http", "packages/a/src/steps"],
    ]);
    expect(foldersOf({ "http/a.ts": 'import "../b.js"; import "./c.js";', "b.ts": 'import "./http/a.js";' })).toEqual(
      [],
    );
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

  it("an exemption is not needed", () => {
    const idle = { file: "generators/src/client/a.ts", from: "node:fs", because: "It was, once." };
    expect(violations([], [idle])).toEqual(["generators/src/client/a.ts: node:fs is exempt without need"]);
    expect(violations([readSource(idle.file, 'import "node:fs";')], [idle])).toEqual([]);
  });

  it("a file of any folder has `any`", async () => {
    const folder = await temporaryFolder();
    const files = ["packages/a/src/a.ts", "generators/a/src/index.ts", "test/a.test.ts", "test/run/a.mts"];
    const withAny = files.map((file) => [file, "export const parse = (text: any): string => String(text);\n"] as const);
    await place(folder, { ".oxlintrc.json": readTracked(".oxlintrc.json"), ...Object.fromEntries(withAny) });
    const linter = path.join(repository, "node_modules", "oxlint", "bin", "oxlint");
    const { stdout } = spawnSync(process.execPath, [linter, "--format", "unix"], { cwd: folder, encoding: "utf8" });
    const found = [...stdout.matchAll(/^(\S+?):\d+:\d+: .*no-explicit-any/gm)].map(([, file = ""]) => file);
    expect(found.toSorted()).toEqual(files.toSorted());
    const rule = "typescript/no-explicit-any";
    expect([`// oxlint-disable-next-line ${rule}`, `// TypeScript has ${rule}`].map(hidesAny)).toEqual([true, false]);
  });

  it("an export is the default, however it is written", () => {
    const texts = [
      "export default 1;",
      "export default class A {}",
      "const a = 1; export { a as default };",
      "export = 1;",
    ];
    expect(texts.map((text) => readSource("a.ts", text).hasDefaultExport)).toEqual([true, true, true, true]);
    expect(readSource("a.ts", "switch (a) { default: }").hasDefaultExport).toBe(false);
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

  it("a name is exported twice under one subpath", () => {
    const files = [
      readSource("packages/a/src/index.ts", 'export * from "./one.js"; import "./b/two.js";'),
      readSource(
        "packages/a/src/one.ts",
        "export function parse(text: string): void;\nexport function parse(): void {}",
      ),
      readSource("packages/a/src/b/two.ts", "export interface parse {}\nfunction print(): void {}"),
      readSource("packages/a/src/testing.ts", "export const parse = 1, print = 2;"),
      readSource("packages/a/src/program.ts", "export class print {}"),
    ];
    const entries = ["packages/a/src/index.ts", "packages/a/src/testing.ts"];
    const twice = ["parse: packages/a/src/b/two.ts, packages/a/src/one.ts"];
    expect(findRepeatedNames(files, entries)).toEqual(twice);
    // What no subpath leads to, such as a program, is one more.
    const second = readSource("packages/a/src/second.ts", "export type print = string;");
    const programs = ["print: packages/a/src/program.ts, packages/a/src/second.ts"];
    expect(findRepeatedNames([...files, second], entries)).toEqual([...twice, ...programs]);
    expect(
      findRepeatedNames([...files, readSource("packages/b/src/one.ts", "export type print = 1;")], entries),
    ).toEqual(twice);
  });

  it("an error has the name of no class, or of another one", () => {
    const texts = [
      'export class AbsentError extends Error { override readonly name = "Absent"; }',
      "class SilentError extends AbsentError {}",
      'class LateError extends TypeError { constructor() { super(); this.name = "LatenessError"; } }',
      'export class TooLarge extends RangeError { override readonly name = "TooLarge"; }',
      'class FieldError extends Error { override readonly name: string = "FieldError"; }',
      'class GetterError extends Error { override get name(): string { return "GetterError"; } }',
      'class AssignedError extends Error { constructor() { super(); this.name = "AssignedError"; } }',
      "class Request extends Message {}",
    ];
    expect(misnamedErrors([readSource("a.ts", texts.join("\n"))])).toEqual([
      'a.ts: AbsentError has the name "Absent"',
      "a.ts: SilentError inherits its name",
      'a.ts: LateError has the name "LatenessError"',
      "a.ts: TooLarge does not end in Error",
    ]);
  });

  it("a default export has no reason, or a reason no default export", () => {
    expect(unexplained(["a.ts", "b.ts"], { "b.ts": "…", "c.ts": "…" })).toEqual(["a.ts", "c.ts needs no entry"]);
  });
});

function isTest(file: string): boolean {
  return /\.(test|support)\.ts$/.test(file);
}

function hidesAny(text: string): boolean {
  return /(?:ox|es)lint-disable.*no-explicit-any/.test(text);
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

/** The source files that the `exports` of packages lead to. */
function subpathEntries(files: readonly string[]): readonly string[] {
  const manifests = files.filter((file) => /^(generators|packages\/[^/]+)\/package\.json$/.test(file));
  return manifests.flatMap((file) => {
    const { exports = {} } = JSON.parse(readTracked(file)) as { readonly exports?: unknown };
    const targets = JSON.stringify(exports).match(/(?<=\.\/dist\/)[^"]+(?=\.js")/g) ?? [];
    return [...new Set(targets)].map((target) => `${path.posix.dirname(file)}/src/${target}.ts`);
  });
}

/** Error classes with `new X().name !== X.name`. A class is found by the name of its base, so that its own has to end in `Error`. */
function misnamedErrors(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ file, errorClasses }) =>
    errorClasses.flatMap(({ name, runtimeName }) => {
      if (!name.endsWith("Error")) return [`${file}: ${name} does not end in Error`];
      if (runtimeName === undefined) return [`${file}: ${name} inherits its name`];
      return runtimeName === name ? [] : [`${file}: ${name} has the name "${runtimeName}"`];
    }),
  );
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
