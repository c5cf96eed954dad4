import { readdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";

/** Whether a path stays inside its package, on every operating system. */
export function isPackagePath(name: string): boolean {
  return (
    name !== "" &&
    name.split("/").every((segment) => /^[A-Za-z0-9._-]+$/.test(segment) && segment !== "." && segment !== "..")
  );
}

/** The parent folders of a path: `src` and `src/gen` for `src/gen/types.ts`. */
export function parentFolders(name: string): readonly string[] {
  const steps = name.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

/** Removes a file, and its parent folders below `upTo` that are empty then. */
export async function removeFile(file: string, upTo: string): Promise<void> {
  await rm(file, { force: true });
  await removeEmptyFolders(path.dirname(file), upTo);
}

/** Removes a folder and its parents below `upTo` while they are empty. */
export async function removeEmptyFolders(folder: string, upTo: string): Promise<void> {
  for (let each = folder; each !== upTo && each.startsWith(upTo); each = path.dirname(each)) {
    const isEmpty = await readdir(each).then(
      (names) => names.length === 0,
      () => false,
    );
    if (!isEmpty) return;
    await rmdir(each).catch(() => undefined); // another program may have created a file there meanwhile
  }
}

/** Returns a value for a missing file; a folder at its path counts as missing. */
export function ignoreMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && "code" in error && missingFileCodes.has(error.code)) return instead;
    throw error;
  };
}

const missingFileCodes: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);
