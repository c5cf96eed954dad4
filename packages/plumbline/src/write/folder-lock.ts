import { randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { WriteError, attemptWrite } from "./errors.js";
import { isPackagePath, removeFile, removeEmptyFolders } from "./paths.js";

/** The suffix of incomplete files and of lock files. */
export const temporarySuffix = ".plumbline-tmp";

/** An exclusive lock on writing to a folder. */
export interface FolderLock {
  /** The absolute path of a file until it is complete, in the same folder. */
  readonly temporary: (name: string) => string;
  /** Records the temporary files, so that a later run can remove them if this one is killed. */
  readonly register: (names: readonly string[]) => Promise<void>;
  /** Releases the lock, and removes remaining temporary files and empty folders. */
  readonly release: () => Promise<void>;
}

/**
 * Waits until no other run writes to a folder, and cleans up after killed runs.
 *
 * Each run creates a ticket file of its own, and then looks for others. Of two concurrent runs at least one sees the other; a run that sees
 * a live ticket removes its own and tries again. No run takes over the ticket of another, so stale tickets cause no race.
 *
 * @param folder - Absolute path of the folder.
 * @param attempts - The number of attempts. Default: 200, which takes about ten seconds.
 * @throws WriteError after the last attempt.
 */
export async function acquireLock(folder: string, attempts: number = maxAttempts): Promise<FolderLock> {
  const id = randomUUID();
  const ticket = path.join(folder, `.plumbline.${process.pid}.${id}${temporarySuffix}`);
  const temporary = (name: string): string => temporaryFilePath(folder, name, id);
  const created = await attemptWrite(folder, "untouched", () => mkdir(folder, { recursive: true }));
  let announced: readonly string[] = [];
  const end = async (): Promise<void> => {
    // A file that cannot be removed now is recorded, and the next run removes it. The result of this run matters more.
    for (const name of announced) await removeFile(temporary(name), folder).catch(() => undefined);
    await rm(ticket, { force: true }).catch(() => undefined);
    if (created !== undefined) await removeEmptyFolders(folder, path.dirname(created));
    ownLockIds.delete(id);
  };
  const announce = async (names: readonly string[]): Promise<void> => {
    await attemptWrite(folder, "untouched", () => writeFile(ticket, JSON.stringify(names)));
    announced = names;
  };
  ownLockIds.add(id);
  try {
    for (let tries = 1; ; tries += 1) {
      await attemptWrite(folder, "untouched", () => writeFile(ticket, "", { flag: "wx" }));
      const others = (await listLockFiles(folder)).filter((each) => each.id !== id);
      const alive = others.find((each) => each.isAlive);
      if (alive === undefined) {
        for (const each of others) await removeStaleLock(each, folder);
        return { temporary, register: announce, release: end };
      }
      await rm(ticket);
      if (tries === attempts) throw createLockedError(folder, alive);
      await setTimeout(20 + Math.random() * 60); // random, so that two runs that collided do not collide again
    }
  } catch (error) {
    await end();
    throw error;
  }
}

/** Whether a run is writing to a folder, or was killed while writing. */
export async function hasLocks(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => lockFilePattern.test(name));
}

/** Attempts, about ten seconds. A run writes for less than one second. */
const maxAttempts = 200;

/** Milliseconds after which a ticket is stale: its process id may be reused, or belong to another machine. */
const staleLockMs = 10 * 60_000;

const lockFilePattern = /^\.plumbline\.(\d+)\.([0-9a-f-]{36})\.plumbline-tmp$/;

/** The tickets of this process. A killed process may have had the same process id. */
const ownLockIds = new Set<string>();

interface LockFile {
  readonly path: string;
  readonly process: number;
  readonly id: string;
  readonly isAlive: boolean;
}

async function listLockFiles(folder: string): Promise<readonly LockFile[]> {
  const matches = (await readdir(folder)).map((name) => lockFilePattern.exec(name)).filter((match) => match !== null);
  return Promise.all(
    matches.map(async ([name, number = "", id = ""]): Promise<LockFile> => {
      const file = path.join(folder, name);
      const age = await stat(file).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => Infinity,
      );
      const isAlive =
        age < staleLockMs && (Number(number) === process.pid ? ownLockIds.has(id) : isProcessRunning(Number(number)));
      return { path: file, process: Number(number), id, isAlive };
    }),
  );
}

function isProcessRunning(number: number): boolean {
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Removes the temporary files that a ticket records, then the ticket. */
async function removeStaleLock(ticket: LockFile, folder: string): Promise<void> {
  for (const name of parseRegisteredNames(await readFile(ticket.path, "utf8").catch(() => ""))) {
    await attemptWrite(folder, "untouched", () => removeFile(temporaryFilePath(folder, name, ticket.id), folder));
  }
  await attemptWrite(ticket.path, "untouched", () => rm(ticket.path, { force: true }));
}

/** Empty for an incomplete ticket: its run had not written anything else. */
function parseRegisteredNames(text: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names)
      ? names.filter((name): name is string => typeof name === "string" && isPackagePath(name))
      : [];
  } catch {
    return [];
  }
}

function temporaryFilePath(folder: string, name: string, id: string): string {
  return path.join(folder, ...`${name}.${id}${temporarySuffix}`.split("/"));
}

function createLockedError(folder: string, { path: file, process: number }: LockFile): WriteError {
  const message = `Another run, process ${number}, is writing here. Wait for it and run the command again. If there is no such process, remove ${path.basename(file)}. Nothing was changed.`;
  return new WriteError(folder, message);
}
