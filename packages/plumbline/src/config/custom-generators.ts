import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { GeneratedFile } from "../../../codegen/src/files.js";
import { manifestFileName } from "../write/writer.js";
import { isPackagePath } from "../write/paths.js";
import type { GeneratorOptions, CustomGenerator } from "../../../codegen/src/generator.js";
import { isJsonObject } from "../../../model/src/json-object.js";
import type { Api } from "../../../model/src/api.js";
import { withWatchdog } from "../watchdog.js";
import { DiagnosticsError, type SourceLocation, type Diagnostic } from "../../../model/src/diagnostic.js";
import type { DiagnosticCode } from "../../../openapi/src/lint/codes.js";
import type { SpecNode } from "../../../openapi/src/read/spec-node.js";

/** A custom generator, as plumbline.yaml lists it. */
export interface CustomGeneratorConfig {
  readonly name: string;
  /** A path that begins with a dot, relative to plumbline.yaml, or the name of a package. */
  readonly module: string;
  /** Absolute path of plumbline.yaml. */
  readonly config: string;
  /** The position of its entry in plumbline.yaml. */
  readonly location: SourceLocation;
}

/** Reads the custom generators of a plumbline.yaml by name, and reports invalid entries. */
export function readCustomGenerators(
  place: SpecNode | undefined,
  config: string,
  ours: readonly string[],
): ReadonlyMap<string, CustomGeneratorConfig> {
  const named = new Map<string, CustomGeneratorConfig>();
  for (const [name, each] of place?.entries() ?? []) {
    if (ours.includes(name))
      each.report(
        "generator/name",
        `"${name}" is the name of a built-in artifact.`,
        "Give the generator another name.",
      );
    else if (!/^[a-z][a-z0-9-]*$/.test(name))
      each.report("generator/name", `"${name}" is not a valid name.`, "Use lower-case letters, digits and hyphens.");
    if (typeof each.raw !== "string")
      each.report("generator/missing", `"${name}" has no module.`, `Write ${name}: ./${name}.mjs, or a package.`);
    else named.set(name, { name, module: each.raw, config, location: each.located });
  }
  return named;
}

export interface CustomGeneratorRun {
  readonly entry: CustomGeneratorConfig;
  /** Absolute path of the description's folder, to which the paths of diagnostics are relative. */
  readonly folder: string;
  readonly api: Api;
  readonly options: GeneratorOptions;
  /** Formats the files. */
  readonly format: (files: readonly GeneratedFile[]) => Promise<readonly GeneratedFile[]>;
}

/** Loads a custom generator and runs it. Throws a DiagnosticsError at its entry in plumbline.yaml for any failure. */
export async function runCustomGenerator({
  entry,
  folder,
  api,
  options,
  format,
}: CustomGeneratorRun): Promise<readonly GeneratedFile[]> {
  const fail: Fail = (code, message, fix) => {
    throw new DiagnosticsError([createDiagnostic(entry, { code, message, fix, from: folder })]);
  };
  const ended = (how: string): Diagnostic => {
    const said = { message: `${entry.name} ${how}.`, fix: `Fix ${entry.module}.`, from: process.cwd() };
    return createDiagnostic(entry, { code: "generator/failed", ...said });
  };
  const made: unknown = await withWatchdog({ name: entry.name, describeExit: ended }, async () => {
    const generator = await loadGenerator(entry, fail);
    return callAsync(() => generator.files(api, options)).catch((error: unknown) =>
      fail("generator/failed", `${entry.name} failed: ${firstLineOf(error)}`, `Fix ${entry.module}.`),
    );
  });
  const files = parseFiles(made, entry, fail);
  return format(files).catch((error: unknown) =>
    fail("generator/text", firstLineOf(error), `Fix the output of ${entry.module}.`),
  );
}

interface GeneratorFinding {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly fix: string;
  /** The folder to which the path of plumbline.yaml is relative. */
  readonly from: string;
}

function createDiagnostic(
  { config, location }: CustomGeneratorConfig,
  { from, ...said }: GeneratorFinding,
): Diagnostic {
  const file = path.relative(from, config).split(path.sep).join("/");
  return { severity: "error", origin: { ...location, file }, ...said };
}

type Fail = (code: DiagnosticCode, message: string, fix: string) => never;

async function loadGenerator(named: CustomGeneratorConfig, fail: Fail): Promise<CustomGenerator> {
  const file = resolveModule(named, fail);
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) =>
    fail("generator/failed", `${named.module} cannot be loaded: ${firstLineOf(error)}`, "Fix the module."),
  );
  const generator: unknown = isJsonObject(module) ? module["default"] : undefined;
  if (!isGenerator(generator))
    return fail(
      "generator/schema",
      `${named.module} does not export a generator as its default.`,
      "Write export default defineGenerator({ files: (api, options) => [{ path, text }] }).",
    );
  return generator;
}

/** Resolves a path to its file, and a package to the file that `require` would load. */
function resolveModule({ module, config }: CustomGeneratorConfig, fail: Fail): string {
  if (/^\.{1,2}[\\/]/.test(module) || path.isAbsolute(module)) {
    const file = path.resolve(path.dirname(config), module);
    return existsSync(file)
      ? file
      : fail("generator/missing", `There is no file ${module}.`, "Correct the path, which is relative to this file.");
  }
  try {
    return createRequire(config).resolve(module);
  } catch (error) {
    const fix = `Install it, or begin a path with a dot: ./${module}.`;
    return fail("generator/missing", `The package ${module} cannot be found: ${firstLineOf(error)}`, fix);
  }
}

function isGenerator(value: unknown): value is CustomGenerator {
  return isJsonObject(value) && typeof value["files"] === "function";
}

function parseFiles(made: unknown, { name, module }: CustomGeneratorConfig, fail: Fail): readonly GeneratedFile[] {
  const items: readonly unknown[] = Array.isArray(made)
    ? made
    : fail("generator/schema", `${name} does not return a list of files.`, "Return [{ path, text }].");
  const files = items.map((item, index) =>
    isFile(item)
      ? item
      : fail(
          "generator/schema",
          `Item ${index} of the result of ${name} is not a file.`,
          "Return { path, text }, both strings.",
        ),
  );
  const seen = new Set<string>();
  for (const { path: file } of files) {
    if (!isPackagePath(file) || file === manifestFileName)
      fail(
        "generator/path",
        `${name} may not write ${JSON.stringify(file)}.`,
        "Use a path below its own folder, with letters, digits, dots, hyphens and slashes.",
      );
    if (seen.has(file)) fail("generator/path", `${name} returns ${file} twice.`, `Fix ${module}.`);
    seen.add(file);
  }
  for (const { path: file } of files)
    for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder))
      if (seen.has(folder))
        fail(
          "generator/path",
          `${name} returns the file ${folder}, which is also the folder of ${file}.`,
          `Fix ${module}.`,
        );
  return files;
}

function isFile(value: unknown): value is GeneratedFile {
  if (!isJsonObject(value) || typeof value["path"] !== "string") return false;
  return "text" in value
    ? isWellFormedText(value["text"])
    : isJsonObject(value["managedKeys"]) && isJsonObject(value["defaults"]);
}

/** Rejects lone surrogates: the file would differ from its text after each write, and so always be stale. */
function isWellFormedText(value: unknown): boolean {
  return typeof value === "string" && Buffer.from(value).toString() === value;
}

/** Calls a function, and turns a synchronous throw into a rejection. */
async function callAsync<T>(work: () => T | Promise<T>): Promise<T> {
  return work();
}

function firstLineOf(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return /[.?!]$/.test(first) ? first : `${first}.`;
}
