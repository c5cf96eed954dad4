import { link, mkdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { UnwrittenError } from "../../emit/writer.js";

/** A file that may not be there yet, and one that is brought to another text where it has to be; both or neither. */
export interface Putting {
  readonly fresh: { readonly file: string; readonly text: string };
  /** Undefined where its text is right already. */
  readonly changed: { readonly file: string; readonly text: string } | undefined;
}

/**
 * Writes both under names of their own first, and gives them theirs when all is written. Throws an UnwrittenError where the fresh one has
 * come to be meanwhile, and what the system says otherwise; then neither is written.
 */
export async function put({ fresh, changed }: Putting): Promise<void> {
  const temporary = (file: string): string => `${file}.${process.pid}.tmp`;
  const folder = path.dirname(fresh.file);
  const made = await mkdir(folder, { recursive: true });
  let isLinked = false;
  try {
    await writeFile(temporary(fresh.file), fresh.text, { flag: "wx", flush: true });
    if (changed !== undefined)
      await writeFile(temporary(changed.file), changed.text, { flag: "wx", flush: true, mode: await modeOf(changed) });
    await link(temporary(fresh.file), fresh.file).catch((error: unknown) => {
      throw isThere(error) ? alreadyThere(fresh.file) : error;
    });
    isLinked = true;
    if (changed !== undefined) await rename(temporary(changed.file), changed.file);
  } catch (error) {
    if (isLinked) await rm(fresh.file, { force: true });
    await rm(temporary(fresh.file), { force: true });
    if (changed !== undefined) await rm(temporary(changed.file), { force: true });
    if (made !== undefined) await rmdir(folder).catch(() => undefined); // somebody may have put a file there
    throw error;
  }
  await rm(temporary(fresh.file), { force: true });
}

/** For a configuration that nobody means to lose. */
export function alreadyThere(file: string): UnwrittenError {
  return new UnwrittenError(file, "This is there already. Change it, or move it away first. Nothing was changed.");
}

async function modeOf({ file }: { readonly file: string }): Promise<number> {
  const status = await stat(file).catch(() => undefined);
  return (status?.mode ?? 0o666) & 0o777;
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
