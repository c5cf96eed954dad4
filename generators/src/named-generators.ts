import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { GeneratedFile } from "./emit/files.js";
import { manifestName } from "./emit/writer.js";
import { isInside } from "./emit/writer/paths.js";
import type { GeneratorOptions, PlumblineGenerator } from "./generator.js";
import { isObject } from "./json.js";
import type { Api } from "./model/api.js";
import { overseen } from "./overseen.js";
import { ProblemError, type Located, type Problem } from "./problem.js";
import type { Code } from "./spec/codes.js";
import type { Place } from "./spec/place.js";

/** A custom generator, as plumbline.yaml lists it. */
export interface NamedGenerator {
  readonly name: string;
  /** A path that begins with a dot, relative to plumbline.yaml, or the name of a package. */
  readonly module: string;
  /** Absolute path of plumbline.yaml. */
  readonly config: string;
  /** The position of its entry in plumbline.yaml. */
  readonly place: Located;
}

/** Reads the custom generators of a plumbline.yaml by name, and reports invalid entries. */
export function readGenerators(
  place: Place | undefined,
  config: string,
  ours: readonly string[],
): ReadonlyMap<string, NamedGenerator> {
  const named = new Map<string, NamedGenerator>();
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
    else named.set(name, { name, module: each.raw, config, place: each.located });
  }
  return named;
}

export interface NamedRun {
  readonly named: NamedGenerator;
  /** Absolute path of the description's folder, to which the paths of diagnostics are relative. */
  readonly folder: string;
  readonly api: Api;
  readonly options: GeneratorOptions;
  /** Formats the files. */
  readonly finish: (files: readonly GeneratedFile[]) => Promise<readonly GeneratedFile[]>;
}

/** Loads a custom generator and runs it. Throws a ProblemError at its entry in plumbline.yaml for any failure. */
export async function runNamedGenerator({
  named,
  folder,
  api,
  options,
  finish,
}: NamedRun): Promise<readonly GeneratedFile[]> {
  const fail: Fail = (code, message, fix) => {
    throw new ProblemError([problemOf(named, { code, message, fix, from: folder })]);
  };
  const ended = (how: string): Problem => {
    const said = { message: `${named.name} ${how}.`, fix: `Fix ${named.module}.`, from: process.cwd() };
    return problemOf(named, { code: "generator/failed", ...said });
  };
  const made: unknown = await overseen({ name: named.name, ended }, async () => {
    const generator = await loaded(named, fail);
    return attempt(() => generator.files(api, options)).catch((error: unknown) =>
      fail("generator/failed", `${named.name} failed: ${messageOf(error)}`, `Fix ${named.module}.`),
    );
  });
  const files = filesIn(made, named, fail);
  return finish(files).catch((error: unknown) =>
    fail("generator/text", messageOf(error), `Fix the output of ${named.module}.`),
  );
}

interface Told {
  readonly code: Code;
  readonly message: string;
  readonly fix: string;
  /** The folder to which the path of plumbline.yaml is relative. */
  readonly from: string;
}

function problemOf({ config, place }: NamedGenerator, { from, ...said }: Told): Problem {
  const file = path.relative(from, config).split(path.sep).join("/");
  return { severity: "error", origin: { ...place, file }, ...said };
}

type Fail = (code: Code, message: string, fix: string) => never;

async function loaded(named: NamedGenerator, fail: Fail): Promise<PlumblineGenerator> {
  const file = resolved(named, fail);
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) =>
    fail("generator/failed", `${named.module} cannot be loaded: ${messageOf(error)}`, "Fix the module."),
  );
  const generator: unknown = isObject(module) ? module["default"] : undefined;
  if (!isGenerator(generator))
    return fail(
      "generator/shape",
      `${named.module} does not export a generator as its default.`,
      "Write export default definePlumblineGenerator({ files: (api, options) => [{ path, text }] }).",
    );
  return generator;
}

/** Resolves a path to its file, and a package to the file that `require` would load. */
function resolved({ module, config }: NamedGenerator, fail: Fail): string {
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
    return fail("generator/missing", `The package ${module} cannot be found: ${messageOf(error)}`, fix);
  }
}

function isGenerator(value: unknown): value is PlumblineGenerator {
  return isObject(value) && typeof value["files"] === "function";
}

function filesIn(made: unknown, { name, module }: NamedGenerator, fail: Fail): readonly GeneratedFile[] {
  const items: readonly unknown[] = Array.isArray(made)
    ? made
    : fail("generator/shape", `${name} does not return a list of files.`, "Return [{ path, text }].");
  const files = items.map((item, index) =>
    isFile(item)
      ? item
      : fail(
          "generator/shape",
          `Item ${index} of the result of ${name} is not a file.`,
          "Return { path, text }, both strings.",
        ),
  );
  const seen = new Set<string>();
  for (const { path: file } of files) {
    if (!isInside(file) || file === manifestName)
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
  if (!isObject(value) || typeof value["path"] !== "string") return false;
  return "text" in value ? isText(value["text"]) : isObject(value["owned"]) && isObject(value["initial"]);
}

/** Rejects lone surrogates: the file would differ from its text after each write, and so always be stale. */
function isText(value: unknown): boolean {
  return typeof value === "string" && Buffer.from(value).toString() === value;
}

/** Calls a function, and turns a synchronous throw into a rejection. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  return work();
}

function messageOf(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return /[.?!]$/.test(first) ? first : `${first}.`;
}
