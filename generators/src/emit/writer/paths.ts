import { readdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";

/** Whether a path stays in its package, on every system. */
export function isInside(name: string): boolean {
  return (
    name !== "" &&
    name.split("/").every((segment) => /^[A-Za-z0-9._-]+$/.test(segment) && segment !== "." && segment !== "..")
  );
}

/** `src` and `src/gen` of `src/gen/types.ts`. */
export function foldersOf(name: string): readonly string[] {
  const steps = name.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

/** Removes a file, and the folders that it leaves empty, up to this one. */
export async function remove(file: string, upTo: string): Promise<void> {
  await rm(file, { force: true });
  await removeEmpty(path.dirname(file), upTo);
}

/** Removes a folder and those around it while they are empty, up to this one. */
export async function removeEmpty(folder: string, upTo: string): Promise<void> {
  for (let each = folder; each !== upTo && each.startsWith(upTo); each = path.dirname(each)) {
    const isEmpty = await readdir(each).then(
      (names) => names.length === 0,
      () => false,
    );
    if (!isEmpty) return;
    await rmdir(each).catch(() => undefined); // somebody may have put a file there meanwhile
  }
}

/** What to take for a file that is not there; a folder in its place is no file. */
export function ignoreMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && "code" in error && missing.has(error.code)) return instead;
    throw error;
  };
}

const missing: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);
