import type { Stats } from "node:fs";
import { lstat, readFile, readdir } from "node:fs/promises";
import path from "node:path";
import {
  printManagedJson,
  type EditedFile,
  type GeneratedFile,
  type GeneratedPackage,
  type ManagedJsonFile,
} from "@plumbline/kit/codegen";
import { isJsonObject } from "@plumbline/kit/model";
import { DamagedFileError } from "./errors.js";
import { temporarySuffix } from "./folder-lock.js";
import { parentFolders, ignoreMissing, isPackagePath } from "./paths.js";

/** The file that lists the generated files of a package. */
export const manifestFileName = ".plumbline.json";

/** The planned files of a package, and those on the disk. */
export interface WritePlan {
  readonly folder: string;
  /** Planned texts by path relative to the package, including the manifest. */
  readonly texts: ReadonlyMap<string, string>;
  readonly onDisk: ReadonlyMap<string, string>;
  /** The planned files that the manifest lists. */
  readonly listed: readonly string[];
  /** The files that the manifest on the disk lists. */
  readonly managed: readonly string[];
  /** Files of the manifest that are no longer planned. */
  readonly orphans: readonly string[];
  /** Files in the folder of generated sources that are neither planned nor in the manifest. */
  readonly unmanaged: readonly string[];
  /** Files of the user that have changed since the generator has read them. */
  readonly changedSince: readonly string[];
  /** Returns the foreign entry at a path or at one of its parent folders. */
  readonly findBlockingPath: (name: string) => string | undefined;
  /** Whether a file cannot be generated again: it has keys of the user, or is the manifest. */
  readonly isIrreplaceable: (name: string) => boolean;
  readonly absolute: (name: string) => string;
}

/** Compares a package with the disk, without writing. */
export async function planWrite(planned: GeneratedPackage): Promise<WritePlan> {
  const absolute = (name: string) => path.join(planned.folder, ...name.split("/"));
  const owned = (await readManagedFiles(absolute(manifestFileName))).filter(isPackagePath);
  const generated = await listFilesBelow(absolute("src/gen"), "src/gen");
  const names = [...new Set([...planned.files.map((file) => file.path), ...owned, manifestFileName])];
  for (const name of names)
    if (!isPackagePath(name)) throw new Error(`${JSON.stringify(name)} is outside of the package`);
  const blocked = await blockedPaths(planned.folder, names);
  const onDisk = new Map<string, string>();
  for (const name of names) {
    const text = blocked.has(name) ? undefined : await readText(absolute(name));
    if (text !== undefined) onDisk.set(name, text);
  }
  const texts = new Map(
    planned.files.map((file) => [file.path, renderFile(file, onDisk.get(file.path), absolute(file.path))] as const),
  );
  const edited = planned.files.filter((file): file is EditedFile => "original" in file);
  const listed = [...texts.keys()].filter((name) => edited.every((file) => file.path !== name));
  texts.set(manifestFileName, formatManifest([...listed, manifestFileName]));
  const data = planned.files.filter((file): file is ManagedJsonFile => "managedKeys" in file);
  const adopted = data.filter((file) => isSamePackage(file, onDisk.get(file.path))).map((file) => file.path);
  const own = new Set([...owned, ...adopted, ...edited.map((file) => file.path), manifestFileName]);
  const precious = new Set([manifestFileName, ...[...data, ...edited].map((file) => file.path)]);
  const isForeign = (name: string): boolean =>
    onDisk.has(name) && onDisk.get(name) !== texts.get(name) && !own.has(name);
  return {
    folder: planned.folder,
    texts,
    onDisk,
    listed,
    managed: owned,
    orphans: owned.filter((name) => !texts.has(name) && (onDisk.has(name) || blocked.has(name))),
    unmanaged: generated.filter((name) => !texts.has(name) && !owned.includes(name)),
    changedSince: edited
      .filter(({ path: name, text, original }) => ![text, original ?? undefined].includes(onDisk.get(name)))
      .map((file) => file.path),
    findBlockingPath: (name) => blocked.get(name) ?? (isForeign(name) ? name : undefined),
    isIrreplaceable: (name) => precious.has(name),
    absolute,
  };
}

/** Formats the manifest. */
export function formatManifest(names: readonly string[]): string {
  const files = [...new Set(names)].sort();
  return `${JSON.stringify({ comment: "The files of this folder that the generator writes. It never touches another.", files }, undefined, 2)}\n`;
}

/**
 * The paths that are blocked: anything but a file stands at the path, or anything but a folder at one of its parents. Writing there would
 * write elsewhere or fail.
 */
async function blockedPaths(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const folders = new Set(names.flatMap(parentFolders));
  const steps = [...new Set([...folders, ...names])];
  const statuses = await Promise.all(
    steps.map((step) => lstat(path.join(folder, step)).catch(ignoreMissing(undefined))),
  );
  const isWrong = (step: string, status: Stats): boolean =>
    folders.has(step) ? !status.isDirectory() : !status.isFile();
  const wrong = new Set(steps.filter((step, index) => statuses[index] !== undefined && isWrong(step, statuses[index])));
  const obstacles = names.map(
    (name) => [name, [...parentFolders(name), name].find((step) => wrong.has(step))] as const,
  );
  return new Map(obstacles.filter((each): each is readonly [string, string] => each[1] !== undefined));
}

/** Whether a package.json on the disk is of the same package: the generator adds its keys to it. That of another package is foreign. */
function isSamePackage(file: ManagedJsonFile, onDisk: string | undefined): boolean {
  if (onDisk === undefined) return true;
  const written: unknown = JSON.parse(onDisk);
  return isJsonObject(written) && (!Object.hasOwn(written, "name") || written["name"] === file.managedKeys["name"]);
}

function renderFile(file: GeneratedFile, onDisk: string | undefined, absolute: string): string {
  if ("text" in file) return file.text;
  const before: unknown = onDisk === undefined ? {} : parseJson(onDisk, absolute);
  return printManagedJson(file, isJsonObject(before) ? before : {});
}

async function readManagedFiles(manifest: string): Promise<readonly string[]> {
  const text = await readText(manifest);
  if (text === undefined) return [];
  const value = parseJson(text, manifest);
  const files = isJsonObject(value) ? value["files"] : undefined;
  return Array.isArray(files) ? files.filter((each) => typeof each === "string") : [];
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DamagedFileError(file, cause);
  }
}

async function listFilesBelow(folder: string, name: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing([]));
  const nested = entries.map((entry) => {
    const inner = `${name}/${entry.name}`;
    return entry.isDirectory() ? listFilesBelow(path.join(folder, entry.name), inner) : Promise.resolve([inner]);
  });
  return (await Promise.all(nested)).flat().filter((each) => !each.endsWith(temporarySuffix));
}

/** Reads a file; undefined where there is none. */
async function readText(file: string): Promise<string | undefined> {
  return readFile(file).then((bytes) => bytes.toString(), ignoreMissing(undefined)); // faster than to decode while it is read
}
