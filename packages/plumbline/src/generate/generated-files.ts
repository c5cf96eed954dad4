import path from "node:path";
import type { GeneratedFile } from "@plumbline/kit/codegen";
import { isJsonObject } from "@plumbline/kit/model";
import type { GeneratorEntry } from "../config/generator-entries.js";
import { isPackagePath } from "../write/paths.js";
import { manifestFileName } from "../write/writer.js";
import type { Fail } from "./guarded-call.js";

/** Returns the result of a generator of plumbline.yaml as files, or fails where it is something else. */
export function parseFiles(result: unknown, { name, module }: GeneratorEntry, fail: Fail): readonly GeneratedFile[] {
  const items: readonly unknown[] = Array.isArray(result)
    ? result
    : fail("generator/schema", `${name} does not return a list of files.`, "Return [{ path, text }].");
  const files = items.map((item, index) =>
    isFile(item)
      ? item
      : fail(
          "generator/schema",
          `Item ${index} of the result of ${name} is not a file.`,
          "Return { path, text }, both strings.",
        ),
  );
  const paths = new Set<string>();
  for (const { path: file } of files) {
    if (!isPackagePath(file) || file === manifestFileName)
      fail(
        "generator/path",
        `${name} may not write ${JSON.stringify(file)}.`,
        "Use a path below its own folder, with letters, digits, dots, hyphens and slashes.",
      );
    if (paths.has(file)) fail("generator/path", `${name} returns ${file} twice.`, `Fix ${module}.`);
    paths.add(file);
  }
  for (const { path: file } of files)
    for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder))
      if (paths.has(folder))
        fail(
          "generator/path",
          `${name} returns the file ${folder}, which is also the folder of ${file}.`,
          `Fix ${module}.`,
        );
  return files;
}

function isFile(value: unknown): value is GeneratedFile {
  if (!isJsonObject(value) || typeof value["path"] !== "string") return false;
  return "text" in value
    ? isWellFormedText(value["text"]) && ["string", "undefined"].includes(typeof (value["original"] ?? undefined))
    : isJsonObject(value["managedKeys"]) && isJsonObject(value["defaults"]);
}

/** Rejects lone surrogates: the file would differ from its text after each write, and so always be stale. */
function isWellFormedText(value: unknown): boolean {
  return typeof value === "string" && Buffer.from(value).toString() === value;
}
