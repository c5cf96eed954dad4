import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Generator } from "@plumbline/kit/codegen";
import { DiagnosticsError, isJsonObject } from "@plumbline/kit/model";
import { builtInGenerators, optionalArtifacts, type ArtifactKind } from "../artifact-kinds.js";
import type { ArtifactConfig, ArtifactLocation } from "../config/config.js";
import type { GeneratorEntry } from "../config/generator-entries.js";
import { failAt, firstLineOf, guardedCall, type Fail } from "./guarded-call.js";

/**
 * Loads the generator of an artifact: the default export of a module. Its functions are guarded where plumbline.yaml lists it.
 *
 * @throws DiagnosticsError at its entry in plumbline.yaml.
 */
export async function loadGenerator(
  {
    kind,
    generator: entry,
    location,
  }: Pick<ArtifactConfig, "kind" | "generator"> & Partial<Pick<ArtifactConfig, "location">>,
  folder: string,
): Promise<Generator> {
  if (entry === undefined) {
    if (!isBuiltIn(kind)) throw new Error(`Unknown artifact ${kind}`);
    return loadBuiltIn(kind, location, folder);
  }
  const site = { entry, folder };
  const generator = await guardedCall(site, () => importGenerator(entry, failAt(site)));
  const { read, files, data, findOptionIssues } = generator;
  return {
    ...generator,
    files: (api, options) => guardedCall(site, () => files.call(generator, api, options)),
    ...(read && { read: (api, options) => guardedCall(site, () => read.call(generator, api, options)) }),
    ...(findOptionIssues && {
      findOptionIssues: (api, config) => guardedCall(site, () => findOptionIssues.call(generator, api, config)),
    }),
    ...(data && { data: (api, options) => guardedCall(site, () => data.call(generator, api, options)) }),
  };
}

async function loadBuiltIn(
  kind: ArtifactKind,
  location: ArtifactLocation | undefined,
  folder: string,
): Promise<Generator> {
  const name = builtInGenerators[kind];
  try {
    return ((await import(name)) as { readonly default: Generator }).default;
  } catch (error) {
    if (!optionalArtifacts.includes(kind) || !isMissingPackage(error, name)) throw error;
    throw new DiagnosticsError([
      {
        code: "generator/missing",
        severity: "error",
        origin: {
          ...(location?.entry ?? { pointer: "", line: 1, column: 1 }),
          file:
            location === undefined ? "plumbline.yaml" : path.relative(folder, location.path).split(path.sep).join("/"),
        },
        message: `The artifact \`${kind}\` requires the package ${name}.`,
        fix: `Install it: npm install --save-dev ${name}.`,
      },
    ]);
  }
}

function isMissingPackage(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes(`'${name}'`)
  );
}

function isBuiltIn(kind: string): kind is keyof typeof builtInGenerators {
  return Object.hasOwn(builtInGenerators, kind);
}

async function importGenerator(entry: GeneratorEntry, fail: Fail): Promise<Generator> {
  const file = resolveModule(entry, fail);
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) =>
    fail("generator/failed", `${entry.module} cannot be loaded: ${firstLineOf(error)}`, "Fix the module."),
  );
  const generator: unknown = isJsonObject(module) ? module["default"] : undefined;
  if (!isGenerator(generator))
    return fail(
      "generator/schema",
      `${entry.module} does not export a generator as its default.`,
      "Write export default defineGenerator({ files: (api, options) => [{ path, text }] }).",
    );
  return generator;
}

/** Resolves a path to its file, and a package to the file that `require` would load. */
function resolveModule({ module, config }: GeneratorEntry, fail: Fail): string {
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

function isGenerator(value: unknown): value is Generator {
  return (
    isJsonObject(value) &&
    typeof value["files"] === "function" &&
    [value["read"], value["data"], value["findOptionIssues"]].every(
      (each) => each === undefined || typeof each === "function",
    ) &&
    (value["options"] === undefined || isJsonObject(value["options"])) &&
    [value["inputs"], value["optionalInputs"]].every((each) => each === undefined || Array.isArray(each))
  );
}
