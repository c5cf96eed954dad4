import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";

/** The folders that references may not leave, absolute paths; undefined: they may lead anywhere. */
export type Boundary = readonly string[] | undefined;

/** A file is outside of the boundary. */
export class OutsideError extends Error {}

/** Throws an OutsideError for a file outside of the folders, also where a link leads there. Its message has paths as seen from `from`. */
export async function ensureInside(file: string, boundary: Boundary, from: string): Promise<void> {
  if (boundary === undefined) return;
  if (boundary.some((folder) => isInside(file, folder))) {
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined) return; // it is not there, which its reader reports
    const folders = await Promise.all(boundary.map((folder) => realpath(folder).catch(() => folder)));
    if (folders.some((folder) => isInside(real, folder))) return;
  }
  const name = path.relative(from, file).split(path.sep).join("/");
  const folders = boundary.map((folder) => `the folder ${path.basename(folder)}`);
  throw new OutsideError(`${name} is outside of ${folders.join(" and ")}; --allow-outside reads it all the same`);
}

/** The folder with the repository that a file belongs to; the folder of the file where there is none. */
export function repositoryOf(file: string): string {
  const own = path.dirname(file);
  for (let folder = own; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return folder;
    if (path.dirname(folder) === folder) return own;
  }
}

export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
