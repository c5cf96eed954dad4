import { readFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject } from "@plumbline/kit/model";
import { DamagedFileError, WriteError } from "../../write/writer.js";
import type { FileChange } from "./init-report.js";
import { ManifestFieldError, updateManifest, type Manifest, type ManifestRequirements } from "./manifest.js";

/** Reads a file; undefined where there is none. */
export async function readTextIfExists(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Reads the package.json of a folder. Throws a DamagedFileError or a WriteError for invalid content. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, "package.json");
  const text = await readTextIfExists(file);
  if (text === undefined) return { text, fields: {} };
  try {
    const fields: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isJsonObject(fields)) return { text, fields };
  } catch (cause) {
    throw new DamagedFileError(path.relative(folder, file), cause);
  }
  throw new WriteError(file, "This file is not a JSON object. Nothing was changed.");
}

/** Plans the change of a package.json. Throws a WriteError for a file that cannot be edited. */
export function planPackageJson(
  folder: string,
  manifest: Manifest,
  required: ManifestRequirements,
): readonly FileChange[] {
  const file = path.join(folder, "package.json");
  try {
    const { text, added } = updateManifest(manifest, required);
    return added.length === 0 ? [] : [{ file, text, isNew: manifest.text === undefined, added }];
  } catch (error) {
    if (error instanceof ManifestFieldError)
      throw new WriteError(file, `${error.message} Fix it first. Nothing was changed.`);
    throw error;
  }
}
