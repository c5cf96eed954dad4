import type { Stats } from "node:fs";
import { lstat, mkdir, readFile, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { isObject } from "../json.js";
import type { DataFile, GeneratedFile, GeneratedPackage } from "./files.js";

/** The file that lists what the generator owns in a package. */
export const manifestName = ".plumbline.json";

/** What the disk lacks against what was planned. */
export interface Difference {
  /** Absolute path. */
  readonly path: string;
  readonly kind: "missing" | "stale" | "orphaned" | "foreign";
  /** As it is on disk, and as planned; undefined where there is no such file, or it was never ours. */
  readonly onDisk: string | undefined;
  readonly planned: string | undefined;
}

export interface Written {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
}

/** Compares every path and text of a package with the disk; touches nothing. */
export async function compare(planned: GeneratedPackage): Promise<readonly Difference[]> {
  const plan = await planFor(planned);
  const found: Difference[] = [];
  for (const [name, text] of plan.texts) {
    const onDisk = plan.onDisk.get(name);
    if (onDisk === text && !plan.isForeign(name)) continue;
    const kind = plan.isForeign(name) ? "foreign" : onDisk === undefined ? "missing" : "stale";
    found.push({ path: plan.absolute(name), kind, onDisk, planned: text });
  }
  for (const name of plan.orphans) {
    found.push({ path: plan.absolute(name), kind: "orphaned", onDisk: plan.onDisk.get(name), planned: undefined });
  }
  for (const name of plan.strays) {
    found.push({ path: plan.absolute(name), kind: "foreign", onDisk: undefined, planned: undefined });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Brings a package's folder to the plan. Each file is written under a temporary name and renamed, so that a kill leaves it whole, old or
 * new. The manifest claims new files before they are written and lets go of old ones after they are gone, so that the next run completes
 * what this one left. A file that is in the way and not in the manifest is never touched: that throws, before anything is written.
 */
export async function write(planned: GeneratedPackage): Promise<Written> {
  const plan = await planFor(planned);
  const foreign = [...plan.texts.keys(), ...plan.orphans].filter(plan.isForeign);
  if (foreign.length > 0) throw new ForeignFileError(foreign.map(plan.absolute));
  const changed = [...plan.texts.keys()].filter(
    (name) => name !== manifestName && plan.onDisk.get(name) !== plan.texts.get(name),
  );
  const manifest = plan.texts.get(manifestName) ?? "";
  if (changed.length > 0 || plan.orphans.length > 0) {
    await replace(plan.absolute(manifestName), manifestOf([...plan.texts.keys(), ...plan.owned]));
  }
  for (const name of changed) await replace(plan.absolute(name), plan.texts.get(name) ?? "");
  for (const name of plan.orphans) await remove(plan.absolute(name), planned.folder);
  const before = plan.onDisk.get(manifestName);
  if (changed.length > 0 || plan.orphans.length > 0 || before !== manifest)
    await replace(plan.absolute(manifestName), manifest);
  const unchanged = [...plan.texts.keys()].filter((name) => name !== manifestName && !changed.includes(name));
  return {
    written: changed.map(plan.absolute),
    unchanged: unchanged.map(plan.absolute),
    removed: plan.orphans.map(plan.absolute),
  };
}

/** Files stand where generated ones belong, and the manifest does not list them. */
export class ForeignFileError extends Error {
  readonly paths: readonly string[];
  constructor(paths: readonly string[]) {
    super(`not written by this generator, and in its way: ${paths.join(", ")}`);
    this.name = "ForeignFileError";
    this.paths = paths;
  }
}

/** A file that holds keys of others, or says what is ours, is not JSON: it has to be mended by hand. */
export class DamagedFileError extends Error {
  readonly code = "ERR_DAMAGED_FILE";
  constructor(file: string, cause: unknown) {
    super(`${file} is not valid JSON`, { cause });
    this.name = "DamagedFileError";
  }
}

interface Plan {
  /** By path relative to the package, the manifest among them. */
  readonly texts: ReadonlyMap<string, string>;
  readonly onDisk: ReadonlyMap<string, string>;
  readonly owned: readonly string[];
  /** Owned, and not planned any more. */
  readonly orphans: readonly string[];
  /** In the folder of generated sources, neither planned nor owned. */
  readonly strays: readonly string[];
  /** Whether something that is not ours stands at a path, or on the way to it. */
  readonly isForeign: (name: string) => boolean;
  readonly absolute: (name: string) => string;
}

async function planFor(planned: GeneratedPackage): Promise<Plan> {
  const absolute = (name: string) => path.join(planned.folder, ...name.split("/"));
  const owned = (await ownedFiles(absolute(manifestName))).filter(isInside);
  const generated = await filesBelow(absolute("src/gen"), "src/gen");
  const names = new Set([...planned.files.map((file) => file.path), ...owned, manifestName]);
  const onDisk = new Map<string, string>();
  for (const name of names) {
    if (!isInside(name)) throw new Error(`${JSON.stringify(name)} leads out of the package`);
    const text = await readText(absolute(name));
    if (text !== undefined) onDisk.set(name, text);
  }
  const texts = new Map(
    planned.files.map((file) => [file.path, textOf(file, onDisk.get(file.path), absolute(file.path))] as const),
  );
  texts.set(manifestName, manifestOf([...texts.keys(), manifestName]));
  const adopted = planned.files
    .filter((file) => "owned" in file && isNamesake(file, onDisk.get(file.path)))
    .map((file) => file.path);
  const ours = new Set([...owned, ...adopted, manifestName]);
  const blocked = await blockedPaths(planned.folder, [...texts.keys(), ...owned]);
  return {
    texts,
    onDisk,
    owned,
    orphans: owned.filter((name) => !texts.has(name) && onDisk.has(name)),
    strays: generated.filter((name) => !texts.has(name) && !owned.includes(name)),
    isForeign: (name) =>
      blocked.has(name) || (onDisk.has(name) && onDisk.get(name) !== texts.get(name) && !ours.has(name)),
    absolute,
  };
}

/** The paths at which stands a link, or on the way to which one stands or a file: writing there would write elsewhere, or nowhere. */
async function blockedPaths(folder: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const folders = new Set(names.flatMap(foldersOf));
  const steps = [...new Set([...folders, ...names])];
  const statuses = await Promise.all(
    steps.map((step) => lstat(path.join(folder, step)).catch(ignoreMissing(undefined))),
  );
  const isWrong = (step: string, status: Stats): boolean =>
    folders.has(step) ? !status.isDirectory() : status.isSymbolicLink();
  const wrong = new Set(steps.filter((step, index) => statuses[index] !== undefined && isWrong(step, statuses[index])));
  return new Set(names.filter((name) => [...foldersOf(name), name].some((step) => wrong.has(step))));
}

/** `src` and `src/gen` of `src/gen/types.ts`. */
function foldersOf(name: string): readonly string[] {
  const steps = name.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

/** A package.json that somebody wrote for this very package gets the keys that are the generator's; one of another package is in the way. */
function isNamesake(file: DataFile, onDisk: string | undefined): boolean {
  if (onDisk === undefined) return true;
  const written: unknown = JSON.parse(onDisk);
  return isObject(written) && (!Object.hasOwn(written, "name") || written["name"] === file.owned["name"]);
}

function textOf(file: GeneratedFile, onDisk: string | undefined, absolute: string): string {
  if ("text" in file) return file.text;
  const before: unknown = onDisk === undefined ? {} : parseJson(onDisk, absolute);
  const kept = isObject(before) ? before : {};
  const merged = { ...file.initial, ...kept, ...file.owned };
  const order = [...new Set([...Object.keys({ ...file.owned, ...file.initial }), ...Object.keys(kept)])].sort(
    byPackageOrder,
  );
  return `${JSON.stringify(Object.fromEntries(order.map((key) => [key, merged[key as keyof typeof merged]])), undefined, 2)}\n`;
}

const packageOrder = ["name", "version", "private", "description"];

function byPackageOrder(a: string, b: string): number {
  const rank = (key: string) => (packageOrder.includes(key) ? packageOrder.indexOf(key) : packageOrder.length);
  return rank(a) - rank(b);
}

function manifestOf(names: readonly string[]): string {
  const files = [...new Set(names)].sort();
  return `${JSON.stringify({ comment: "The files of this folder that the generator writes. It never touches another.", files }, undefined, 2)}\n`;
}

async function ownedFiles(manifest: string): Promise<readonly string[]> {
  const text = await readText(manifest);
  if (text === undefined) return [];
  const value = parseJson(text, manifest);
  const files = isObject(value) ? value["files"] : undefined;
  return Array.isArray(files) ? files.filter((each) => typeof each === "string") : [];
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DamagedFileError(file, cause);
  }
}

async function filesBelow(folder: string, name: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing([]));
  const nested = entries.map((entry) => {
    const inner = `${name}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path.join(folder, entry.name), inner) : Promise.resolve([inner]);
  });
  return (await Promise.all(nested)).flat().filter((each) => !each.endsWith(temporarySuffix));
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(ignoreMissing(undefined));
}

/** Writes beside the file and renames onto it; a failure leaves the file as it was and no temporary one. */
async function replace(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}${temporarySuffix}`;
  try {
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const temporarySuffix = ".plumbline-tmp";

/** Removes a file, and the folders that it leaves empty, up to the package's. */
async function remove(file: string, upTo: string): Promise<void> {
  await rm(file, { force: true });
  for (let folder = path.dirname(file); folder !== upTo && folder.startsWith(upTo); folder = path.dirname(folder)) {
    const isEmpty = await readdir(folder).then(
      (names) => names.length === 0,
      () => false,
    );
    if (!isEmpty) return;
    await rmdir(folder).catch(() => undefined); // somebody may have put a file there meanwhile
  }
}

function isInside(name: string): boolean {
  return (
    name !== "" &&
    name.split("/").every((segment) => /^[A-Za-z0-9._-]+$/.test(segment) && segment !== "." && segment !== "..")
  );
}

function ignoreMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return instead;
    throw error;
  };
}
