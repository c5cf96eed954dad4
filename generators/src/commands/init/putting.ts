import { link, mkdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { UnwrittenError } from "../../emit/writer.js";

/** Files to write: new ones that must not exist yet, and changed ones that may exist. */
export interface Putting {
  readonly fresh: readonly TextFile[];
  readonly changed: readonly TextFile[];
}

/** A file by its absolute path. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Writes all files or none. It writes temporary files first, and renames them at the end. After an error everything is as before.
 *
 * @throws UnwrittenError where a new file exists by then; any other error comes from the system.
 */
export async function put({ fresh, changed }: Putting): Promise<void> {
  const all = [...fresh, ...changed];
  const backwards: (() => Promise<unknown>)[] = [];
  try {
    for (const { file, text } of all) {
      const folder = path.dirname(file);
      const made = await mkdir(folder, { recursive: true });
      // Another program may have created a file there; then the folder stays.
      if (made !== undefined) backwards.unshift(() => rmdir(folder).catch(() => undefined));
      backwards.unshift(() => rm(written(file), { force: true }));
      await writeFile(written(file), text, { flag: "wx", flush: true, mode: await modeOf(file) });
    }
    for (const { file } of fresh) {
      await link(written(file), file).catch((error: unknown) => {
        throw isThere(error) ? alreadyThere(file) : error;
      });
      backwards.unshift(() => rm(file, { force: true }));
    }
    for (const { file } of changed) {
      const isKept = await keep(file);
      backwards.unshift(() => (isKept ? rename(kept(file), file) : rm(file, { force: true })));
      await rename(written(file), file);
    }
  } catch (error) {
    for (const step of backwards) await step();
    throw error;
  } finally {
    for (const { file } of all) for (const each of [written(file), kept(file)]) await rm(each, { force: true });
  }
}

/** The error for an existing configuration, which must not be overwritten. */
export function alreadyThere(file: string): UnwrittenError {
  return new UnwrittenError(file, "This file exists already. Edit it, or move it away first. Nothing was changed.");
}

function written(file: string): string {
  return `${file}.${process.pid}.tmp`;
}

function kept(file: string): string {
  return `${file}.${process.pid}.old`;
}

/** Backs up a file until all writes are complete; false where there is none. */
async function keep(file: string): Promise<boolean> {
  try {
    await link(file, kept(file));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

async function modeOf(file: string): Promise<number> {
  const status = await stat(file).catch(() => undefined);
  return (status?.mode ?? 0o666) & 0o777;
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
