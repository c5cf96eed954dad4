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

/** A generator of somebody else's, as plumbline.yaml names it. */
export interface NamedGenerator {
  readonly name: string;
  /** A path that begins with a dot, seen from plumbline.yaml, or the name of a package. */
  readonly module: string;
  /** Absolute path of plumbline.yaml. */
  readonly config: string;
  /** Where plumbline.yaml names it. */
  readonly place: Located;
}

/** The generators of a plumbline.yaml by name; those that cannot be are reported. */
export function readGenerators(
  place: Place | undefined,
  config: string,
  ours: readonly string[],
): ReadonlyMap<string, NamedGenerator> {
  const named = new Map<string, NamedGenerator>();
  for (const [name, each] of place?.entries() ?? []) {
    if (ours.includes(name))
      each.report("generator/name", `"${name}" is an artifact of plumbline's own.`, "Give the generator another name.");
    else if (!/^[a-z][a-z0-9-]*$/.test(name))
      each.report("generator/name", `"${name}" is no name.`, "Write small letters, digits and dashes.");
    if (typeof each.raw !== "string")
      each.report("generator/missing", `"${name}" has no module.`, `Write ${name}: ./${name}.mjs, or a package.`);
    else named.set(name, { name, module: each.raw, config, place: each.located });
  }
  return named;
}

export interface NamedRun {
  readonly named: NamedGenerator;
  /** Absolute path of the description's folder, from which problems count. */
  readonly folder: string;
  readonly api: Api;
  readonly options: GeneratorOptions;
  /** Formats. */
  readonly finish: (files: readonly GeneratedFile[]) => Promise<readonly GeneratedFile[]>;
}

/** Loads a generator and gives the files that it makes. Throws a ProblemError at its name in plumbline.yaml for whatever goes wrong there. */
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
    const said = { message: `${named.name} ${how}.`, fix: `Mend ${named.module}.`, from: process.cwd() };
    return problemOf(named, { code: "generator/failed", ...said });
  };
  const made: unknown = await overseen({ name: named.name, ended }, async () => {
    const generator = await loaded(named, fail);
    return attempt(() => generator.files(api, options)).catch((error: unknown) =>
      fail("generator/failed", `${named.name} failed: ${messageOf(error)}`, `Mend ${named.module}.`),
    );
  });
  const files = filesIn(made, named, fail);
  return finish(files).catch((error: unknown) =>
    fail("generator/text", messageOf(error), `Mend what ${named.module} writes.`),
  );
}

interface Told {
  readonly code: Code;
  readonly message: string;
  readonly fix: string;
  /** The folder that the path of plumbline.yaml is seen from. */
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
    fail("generator/failed", `${named.module} cannot be loaded: ${messageOf(error)}`, "Mend it."),
  );
  const generator: unknown = isObject(module) ? module["default"] : undefined;
  if (!isGenerator(generator))
    return fail(
      "generator/shape",
      `${named.module} has no generator as its default export.`,
      "Write export default definePlumblineGenerator({ files: (api, options) => [{ path, text }] }).",
    );
  return generator;
}

/** The file of a path, and of a package what `require` would load. */
function resolved({ module, config }: NamedGenerator, fail: Fail): string {
  if (/^\.{1,2}[\\/]/.test(module) || path.isAbsolute(module)) {
    const file = path.resolve(path.dirname(config), module);
    return existsSync(file)
      ? file
      : fail("generator/missing", `There is no ${module}.`, "Mend the path, which counts from this file.");
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
    : fail("generator/shape", `${name} gives no list of files.`, "Return [{ path, text }].");
  const files = items.map((item, index) =>
    isFile(item)
      ? item
      : fail(
          "generator/shape",
          `Item ${index} of what ${name} gives is no file.`,
          "Return { path, text }, both texts.",
        ),
  );
  const seen = new Set<string>();
  for (const { path: file } of files) {
    if (!isInside(file) || file === manifestName)
      fail(
        "generator/path",
        `${name} may not write ${JSON.stringify(file)}.`,
        "Give a path below its own folder, of letters, digits, dots, dashes and slashes.",
      );
    if (seen.has(file)) fail("generator/path", `${name} gives ${file} twice.`, `Mend ${module}.`);
    seen.add(file);
  }
  for (const { path: file } of files)
    for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder))
      if (seen.has(folder))
        fail("generator/path", `${name} gives ${folder}, where the folder of ${file} is.`, `Mend ${module}.`);
  return files;
}

function isFile(value: unknown): value is GeneratedFile {
  if (!isObject(value) || typeof value["path"] !== "string") return false;
  return "text" in value ? isText(value["text"]) : isObject(value["owned"]) && isObject(value["initial"]);
}

/** Half a surrogate pair would be read otherwise than it was written, and so be stale for ever. */
function isText(value: unknown): boolean {
  return typeof value === "string" && Buffer.from(value).toString() === value;
}

/** What a function gives, whether it throws at once or later. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  return work();
}

function messageOf(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return /[.?!]$/.test(first) ? first : `${first}.`;
}
