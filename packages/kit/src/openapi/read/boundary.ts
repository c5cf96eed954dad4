import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";

/** The folders that references may not leave, as absolute paths. `undefined` allows any path. */
export type Boundary = readonly string[] | undefined;

/** A file is outside of the boundary. */
export class OutsideBoundaryError extends Error {
  override readonly name = "OutsideBoundaryError";
}

/**
 * Checks that a file is inside the folders, also after symbolic links are resolved.
 * @throws An OutsideBoundaryError. Its message has paths relative to `from`.
 */
export async function ensureInside(file: string, boundary: Boundary, from: string): Promise<void> {
  if (boundary === undefined) return;
  if (boundary.some((folder) => isInside(file, folder))) {
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined) return; // a missing file is reported by its reader
    const folders = await Promise.all(boundary.map((folder) => realpath(folder).catch(() => folder)));
    if (folders.some((folder) => isInside(real, folder))) return;
  }
  const name = path.relative(from, file).split(path.sep).join("/");
  const folders = boundary.map((folder) => `the folder ${path.basename(folder)}`);
  throw new OutsideBoundaryError(
    `${name} is outside of ${folders.join(" and ")}; --allow-outside reads it all the same`,
  );
}

/** Returns the root of the repository that contains a file, or the file's folder if there is none. */
export function findRepository(file: string): string {
  const parent = path.dirname(file);
  for (let folder = parent; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return folder;
    if (path.dirname(folder) === folder) return parent;
  }
}

/**
 * Returns the start of paths that generated files mention, such as `spec/`, for a folder with a description: the way from its package or its
 * repository, which is the same in every checkout. Empty for the folder of the package itself, and outside of packages and repositories.
 */
export function sourceFolder(folder: string): string {
  for (let root = folder; path.dirname(root) !== root; root = path.dirname(root))
    if (["package.json", ".git"].some((name) => existsSync(path.join(root, name))))
      return root === folder ? "" : `${path.relative(root, folder).split(path.sep).join("/")}/`;
  return "";
}

export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
