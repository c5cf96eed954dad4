import { constants } from "node:fs";
import { access, mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { GeneratedPackage } from "@plumbline/kit/codegen";
import { ForeignFileError, WriteError, attemptWrite } from "./errors.js";
import { hasLocks, acquireLock, type FolderLock } from "./folder-lock.js";
import { removeFile } from "./paths.js";
import { manifestFileName, formatManifest, planWrite, type WritePlan } from "./write-plan.js";

export { DamagedFileError, ForeignFileError, WriteError } from "./errors.js";
export { manifestFileName } from "./write-plan.js";

/** A difference between the planned files and the disk. */
export interface FileDifference {
  /** Absolute path. */
  readonly path: string;
  readonly kind: "missing" | "stale" | "orphaned" | "foreign";
  /** The text on the disk; undefined where there is no file, or a foreign one. */
  readonly onDisk: string | undefined;
  readonly planned: string | undefined;
}

/** The result of a write, as absolute paths. */
export interface WriteResult {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
}

/** Compares the paths and texts of a package with the disk, without writing. */
export async function compareWithDisk(planned: GeneratedPackage): Promise<readonly FileDifference[]> {
  const plan = await planWrite(planned);
  const differences: FileDifference[] = [];
  for (const [name, text] of plan.texts) {
    const onDisk = plan.onDisk.get(name);
    const isForeign = plan.findBlockingPath(name) !== undefined;
    if (onDisk === text && !isForeign) continue;
    const kind = isForeign ? "foreign" : onDisk === undefined ? "missing" : "stale";
    differences.push({ path: plan.absolute(name), kind, onDisk, planned: text });
  }
  for (const name of plan.orphans) {
    differences.push({
      path: plan.absolute(name),
      kind: "orphaned",
      onDisk: plan.onDisk.get(name),
      planned: undefined,
    });
  }
  for (const name of plan.unmanaged) {
    differences.push({ path: plan.absolute(name), kind: "foreign", onDisk: undefined, planned: undefined });
  }
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Writes the files of packages, all of them or none. It writes each file under a temporary name in the same folder, and renames all of them
 * when they are complete. A full disk or a read-only folder fails before any change.
 *
 * After a kill each file is complete, old or new. The manifest lists new files before they exist, and old ones until they are removed, so
 * that the next run completes this one.
 *
 * @throws ForeignFileError for a file that blocks a path and is not in the manifest; it stays unchanged.
 * @throws WriteError for errors of the system.
 */
export async function writePackages(...packages: readonly GeneratedPackage[]): Promise<WriteResult> {
  const unchanged = await planUnchanged(packages);
  const leftLocks = await Promise.all(packages.map((each) => hasLocks(each.folder)));
  if (!leftLocks.includes(true) && unchanged !== undefined) return summarizeWrite(unchanged);
  const turns = new Map<string, FolderLock>();
  try {
    // In sorted order, so that two runs with the same folders cannot deadlock.
    for (const folder of packages.map((each) => each.folder).sort()) turns.set(folder, await acquireLock(folder));
    const changes = await Promise.all(packages.map(async (each) => planChanges(await planWrite(each))));
    const foreign = changes.flatMap(findForeignFiles);
    if (foreign.length > 0) throw new ForeignFileError(foreign);
    for (const { plan } of changes)
      for (const name of plan.changedSince)
        throw new WriteError(
          plan.absolute(name),
          "The file changed meanwhile. Run the command again. Nothing was changed.",
        );
    const staged: (() => Promise<void>)[] = [];
    for (const each of changes) {
      const lock = turns.get(each.plan.folder);
      if (lock !== undefined && !isUnchanged(each)) staged.push(await stageFiles(each, lock));
    }
    for (const commit of staged) await commit();
    return summarizeWrite(changes);
  } finally {
    for (const lock of turns.values()) await lock.release();
  }
}

/** Returns the plans if there is nothing to write. Stops at the first change: all files are read again once their folders are locked. */
async function planUnchanged(packages: readonly GeneratedPackage[]): Promise<readonly PackageChanges[] | undefined> {
  const plans: PackageChanges[] = [];
  for (const each of packages) {
    const plan = planChanges(await planWrite(each));
    if (!isUnchanged(plan)) return undefined;
    plans.push(plan);
  }
  return plans;
}

interface PackageChanges {
  readonly plan: WritePlan;
  /** The names of files whose text differs from the plan, without the manifest. */
  readonly changed: readonly string[];
  /** The interim manifest, which lists old and new files; undefined where the one on the disk does. */
  readonly interimManifest: string | undefined;
  /** The final manifest; undefined where the interim one is equal. */
  readonly manifest: string | undefined;
}

function planChanges(plan: WritePlan): PackageChanges {
  const names = [...plan.texts.keys()];
  const changed = names.filter((name) => name !== manifestFileName && plan.onDisk.get(name) !== plan.texts.get(name));
  const before = plan.onDisk.get(manifestFileName);
  const both = changed.length + plan.orphans.length > 0 ? formatManifest([...plan.listed, ...plan.managed]) : before;
  const after = plan.texts.get(manifestFileName);
  return {
    plan,
    changed,
    interimManifest: both === before ? undefined : both,
    manifest: after === both ? undefined : after,
  };
}

function isUnchanged({ plan, changed, manifest }: PackageChanges): boolean {
  return changed.length === 0 && plan.orphans.length === 0 && manifest === undefined;
}

function findForeignFiles({ plan }: PackageChanges): readonly string[] {
  const blocking = [...plan.texts.keys(), ...plan.orphans].map(plan.findBlockingPath);
  return [...new Set(blocking)].filter((name) => name !== undefined).map(plan.absolute);
}

const interimManifestName = `${manifestFileName}.claim`;

/** Writes all temporary files, and checks all permissions. Returns the function that renames the files. */
async function stageFiles(
  { plan, changed, interimManifest, manifest }: PackageChanges,
  lock: FolderLock,
): Promise<() => Promise<void>> {
  const texts = new Map(changed.map((name) => [name, plan.texts.get(name) ?? ""] as const));
  if (interimManifest !== undefined) texts.set(interimManifestName, interimManifest);
  if (manifest !== undefined) texts.set(manifestFileName, manifest);
  for (const name of [...changed, ...plan.orphans, manifestFileName]) await ensureWritable(plan, name);
  await lock.register([...texts.keys()]);
  for (const [name, text] of texts) {
    const target = plan.absolute(name === interimManifestName ? manifestFileName : name);
    // The next run repairs files that a power cut empties. Only files that no run can generate again are flushed, which is slow.
    const flush = plan.isIrreplaceable(name) || name === interimManifestName;
    await attemptWrite(path.dirname(target), "untouched", () => mkdir(path.dirname(target), { recursive: true }));
    // npm makes linked commands executable, so they are executable from the start.
    const mode = text.startsWith("#!") ? 0o777 : 0o666;
    await attemptWrite(target, "untouched", () => writeFile(lock.temporary(name), text, { flag: "wx", flush, mode }));
  }
  const put = (name: string, target: string): Promise<void> =>
    attemptWrite(target, "begun", () => rename(lock.temporary(name), target));
  return async () => {
    if (interimManifest !== undefined) await put(interimManifestName, plan.absolute(manifestFileName));
    for (const name of changed) await put(name, plan.absolute(name));
    for (const name of plan.orphans) {
      await attemptWrite(plan.absolute(name), "begun", () => removeFile(plan.absolute(name), plan.folder));
    }
    if (manifest !== undefined) await put(manifestFileName, plan.absolute(manifestFileName));
  };
}

/** A rename checks only the permissions of the folder; a read-only file has to stay unchanged too. */
async function ensureWritable(plan: WritePlan, name: string): Promise<void> {
  if (!plan.onDisk.has(name)) return;
  const file = plan.absolute(name);
  await attemptWrite(file, "untouched", () => access(file, constants.W_OK));
  await attemptWrite(path.dirname(file), "untouched", () => access(path.dirname(file), constants.W_OK));
}

function summarizeWrite(changes: readonly PackageChanges[]): WriteResult {
  const unchanged = ({ plan, changed }: PackageChanges): readonly string[] =>
    [...plan.texts.keys()].filter((name) => name !== manifestFileName && !changed.includes(name));
  return {
    written: changes.flatMap((each) => each.changed.map(each.plan.absolute)),
    unchanged: changes.flatMap((each) => unchanged(each).map(each.plan.absolute)),
    removed: changes.flatMap((each) => each.plan.orphans.map(each.plan.absolute)),
  };
}
