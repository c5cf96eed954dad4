import { link, mkdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { WriteError } from "../../write/writer.js";

/** Files to write: new ones that must not exist yet, and changed ones that may exist. */
export interface AtomicWrite {
  readonly created: readonly FileText[];
  readonly changed: readonly FileText[];
}

/** A file by its absolute path. */
export interface FileText {
  readonly file: string;
  readonly text: string;
}

/**
 * Writes all files or none. It writes temporary files first, and renames them at the end. After an error everything is as before.
 *
 * @throws WriteError where a new file exists by then; any other error comes from the system.
 */
export async function writeAtomically({ created, changed }: AtomicWrite): Promise<void> {
  const all = [...created, ...changed];
  const backwards: (() => Promise<unknown>)[] = [];
  try {
    for (const { file, text } of all) {
      const folder = path.dirname(file);
      const createdFolder = await mkdir(folder, { recursive: true });
      // Another program may have created a file there; then the folder stays.
      if (createdFolder !== undefined) backwards.unshift(() => rmdir(folder).catch(() => undefined));
      backwards.unshift(() => rm(temporaryName(file), { force: true }));
      await writeFile(temporaryName(file), text, { flag: "wx", flush: true, mode: await readMode(file) });
    }
    for (const { file } of created) {
      await link(temporaryName(file), file).catch((error: unknown) => {
        throw isExistsError(error) ? existingFileError(file) : error;
      });
      backwards.unshift(() => rm(file, { force: true }));
    }
    for (const { file } of changed) {
      const isKept = await backUp(file);
      backwards.unshift(() => (isKept ? rename(backupName(file), file) : rm(file, { force: true })));
      await rename(temporaryName(file), file);
    }
  } catch (error) {
    for (const step of backwards) await step();
    throw error;
  } finally {
    for (const { file } of all)
      for (const each of [temporaryName(file), backupName(file)]) await rm(each, { force: true });
  }
}

/** The error for an existing configuration, which must not be overwritten. */
export function existingFileError(file: string): WriteError {
  return new WriteError(file, "This file exists already. Edit it, or move it away first. Nothing was changed.");
}

function temporaryName(file: string): string {
  return `${file}.${process.pid}.tmp`;
}

function backupName(file: string): string {
  return `${file}.${process.pid}.old`;
}

/** Backs up a file until all writes are complete; false where there is none. */
async function backUp(file: string): Promise<boolean> {
  try {
    await link(file, backupName(file));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

async function readMode(file: string): Promise<number> {
  const status = await stat(file).catch(() => undefined);
  return (status?.mode ?? 0o666) & 0o777;
}

function isExistsError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
