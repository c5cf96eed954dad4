import { readFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject } from "@plumbline/kit/model";
import { DamagedFileError, WriteError } from "../../write/writer.js";
import type { Manifest } from "./manifest.js";

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
