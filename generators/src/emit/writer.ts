import { constants } from "node:fs";
import { access, mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { GeneratedPackage } from "./files.js";
import { ForeignFileError, attempt } from "./writer/failures.js";
import { remove } from "./writer/paths.js";
import { manifestName, manifestOf, planFor, type Plan } from "./writer/plan.js";
import { hasTickets, takeTurn, type Turn } from "./writer/turn.js";

export { DamagedFileError, ForeignFileError, UnwrittenError } from "./writer/failures.js";
export { manifestName } from "./writer/plan.js";

/** A difference between the planned files and the disk. */
export interface Difference {
  /** Absolute path. */
  readonly path: string;
  readonly kind: "missing" | "stale" | "orphaned" | "foreign";
  /** The text on the disk; undefined where there is no file, or a foreign one. */
  readonly onDisk: string | undefined;
  readonly planned: string | undefined;
}

/** The result of a write, as absolute paths. */
export interface Written {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
}

/** Compares the paths and texts of a package with the disk, without writing. */
export async function compare(planned: GeneratedPackage): Promise<readonly Difference[]> {
  const plan = await planFor(planned);
  const found: Difference[] = [];
  for (const [name, text] of plan.texts) {
    const onDisk = plan.onDisk.get(name);
    const isForeign = plan.inTheWay(name) !== undefined;
    if (onDisk === text && !isForeign) continue;
    const kind = isForeign ? "foreign" : onDisk === undefined ? "missing" : "stale";
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
 * Writes the files of packages, all of them or none. It writes each file under a temporary name in the same folder, and renames all of them
 * when they are complete. A full disk or a read-only folder fails before any change.
 *
 * After a kill each file is complete, old or new. The manifest lists new files before they exist, and old ones until they are removed, so
 * that the next run completes this one.
 *
 * @throws ForeignFileError for a file that blocks a path and is not in the manifest; it stays unchanged.
 * @throws UnwrittenError for errors of the system.
 */
export async function write(...packages: readonly GeneratedPackage[]): Promise<Written> {
  const seen = await Promise.all(packages.map(async (each) => changesTo(await planFor(each))));
  const left = await Promise.all(packages.map((each) => hasTickets(each.folder)));
  if (!left.includes(true) && seen.every(isNothing)) return outcomeOf(seen);
  const turns = new Map<string, Turn>();
  try {
    // In sorted order, so that two runs with the same folders cannot deadlock.
    for (const folder of packages.map((each) => each.folder).sort()) turns.set(folder, await takeTurn(folder));
    const changes = await Promise.all(packages.map(async (each) => changesTo(await planFor(each))));
    const foreign = changes.flatMap(foreignIn);
    if (foreign.length > 0) throw new ForeignFileError(foreign);
    const staged: (() => Promise<void>)[] = [];
    for (const each of changes) {
      const turn = turns.get(each.plan.folder);
      if (turn !== undefined && !isNothing(each)) staged.push(await stage(each, turn));
    }
    for (const commit of staged) await commit();
    return outcomeOf(changes);
  } finally {
    for (const turn of turns.values()) await turn.end();
  }
}

interface Changes {
  readonly plan: Plan;
  /** The names of files whose text differs from the plan, without the manifest. */
  readonly changed: readonly string[];
  /** The interim manifest, which lists old and new files; undefined where the one on the disk does. */
  readonly claim: string | undefined;
  /** The final manifest; undefined where the interim one is equal. */
  readonly manifest: string | undefined;
}

function changesTo(plan: Plan): Changes {
  const names = [...plan.texts.keys()];
  const changed = names.filter((name) => name !== manifestName && plan.onDisk.get(name) !== plan.texts.get(name));
  const before = plan.onDisk.get(manifestName);
  const both = changed.length + plan.orphans.length > 0 ? manifestOf([...names, ...plan.owned]) : before;
  const after = plan.texts.get(manifestName);
  return { plan, changed, claim: both === before ? undefined : both, manifest: after === both ? undefined : after };
}

function isNothing({ plan, changed, manifest }: Changes): boolean {
  return changed.length === 0 && plan.orphans.length === 0 && manifest === undefined;
}

function foreignIn({ plan }: Changes): readonly string[] {
  const found = [...plan.texts.keys(), ...plan.orphans].map(plan.inTheWay);
  return [...new Set(found)].filter((name) => name !== undefined).map(plan.absolute);
}

const claimName = `${manifestName}.claim`;

/** Writes all temporary files, and checks all permissions. Returns the function that renames the files. */
async function stage({ plan, changed, claim, manifest }: Changes, turn: Turn): Promise<() => Promise<void>> {
  const texts = new Map(changed.map((name) => [name, plan.texts.get(name) ?? ""] as const));
  if (claim !== undefined) texts.set(claimName, claim);
  if (manifest !== undefined) texts.set(manifestName, manifest);
  for (const name of [...changed, ...plan.orphans, manifestName]) await allowChange(plan, name);
  await turn.announce([...texts.keys()]);
  for (const [name, text] of texts) {
    const target = plan.absolute(name === claimName ? manifestName : name);
    // The next run repairs files that a power cut empties. Only files that no run can generate again are flushed, which is slow.
    const flush = plan.isPrecious(name) || name === claimName;
    await attempt(path.dirname(target), "untouched", () => mkdir(path.dirname(target), { recursive: true }));
    // npm makes linked commands executable, so they are executable from the start.
    const mode = text.startsWith("#!") ? 0o777 : 0o666;
    await attempt(target, "untouched", () => writeFile(turn.temporary(name), text, { flag: "wx", flush, mode }));
  }
  const put = (name: string, target: string): Promise<void> =>
    attempt(target, "begun", () => rename(turn.temporary(name), target));
  return async () => {
    if (claim !== undefined) await put(claimName, plan.absolute(manifestName));
    for (const name of changed) await put(name, plan.absolute(name));
    for (const name of plan.orphans) {
      await attempt(plan.absolute(name), "begun", () => remove(plan.absolute(name), plan.folder));
    }
    if (manifest !== undefined) await put(manifestName, plan.absolute(manifestName));
  };
}

/** A rename checks only the permissions of the folder; a read-only file has to stay unchanged too. */
async function allowChange(plan: Plan, name: string): Promise<void> {
  if (!plan.onDisk.has(name)) return;
  const file = plan.absolute(name);
  await attempt(file, "untouched", () => access(file, constants.W_OK));
  await attempt(path.dirname(file), "untouched", () => access(path.dirname(file), constants.W_OK));
}

function outcomeOf(changes: readonly Changes[]): Written {
  const unchanged = ({ plan, changed }: Changes): readonly string[] =>
    [...plan.texts.keys()].filter((name) => name !== manifestName && !changed.includes(name));
  return {
    written: changes.flatMap((each) => each.changed.map(each.plan.absolute)),
    unchanged: changes.flatMap((each) => unchanged(each).map(each.plan.absolute)),
    removed: changes.flatMap((each) => each.plan.orphans.map(each.plan.absolute)),
  };
}
