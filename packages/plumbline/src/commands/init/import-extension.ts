import path from "node:path";
import { isJsonObject } from "@plumbline/kit/model";
import type { ImportExtension } from "../../config/config.js";
import { readTextIfExists } from "./read-manifest.js";

/**
 * Detects how files of an application import each other, by the compiler options in its tsconfig.json: without an extension where a bundler
 * resolves them, with `.ts` where the compiler allows it. Default: `js`, also for a file that extends or refers to others.
 */
export async function detectImportExtension(folder: string): Promise<ImportExtension> {
  const text = await readTextIfExists(path.join(folder, "tsconfig.json"));
  const options = readCompilerOptions(text ?? "");
  const resolution = String(options["moduleResolution"] ?? options["module"]).toLowerCase();
  if (resolution === "bundler" || resolution === "preserve") return "none";
  const allowsTs = [options["allowImportingTsExtensions"], options["rewriteRelativeImportExtensions"]].includes(true);
  return allowsTs ? "ts" : "js";
}

/** Reads the compiler options of a tsconfig.json; none where it is not valid. */
function readCompilerOptions(text: string): Readonly<Record<string, unknown>> {
  const json = text
    .replace(/^\uFEFF/, "")
    .replace(commentOrString, (part) => (part.startsWith('"') ? part : ""))
    .replace(trailingCommaOrString, (part, bracket = "") => (part.startsWith('"') ? part : String(bracket)));
  try {
    const config: unknown = JSON.parse(json);
    const options = isJsonObject(config) ? config["compilerOptions"] : undefined;
    return isJsonObject(options) ? options : {};
  } catch {
    return {}; // the compiler reports it
  }
}

// What is not closed matches to the end, so that no text is searched twice.
const commentOrString = /"(?:\\.|[^"\\])*"?|\/\/.*|\/\*(?:[^*]|\*+[^*/])*\**\/?/g;
const trailingCommaOrString = /"(?:\\.|[^"\\])*"?|,\s*([}\]])/g;
