import type { GeneratedFile } from "@plumbline/kit/codegen";
import type { ImportExtension } from "../config/config.js";

/**
 * Replaces the extension in imports of files beside a formatted one. Generators print `./file.js`, as Node resolves the output of a compiler:
 * a bundler that reads the sources may know only `./file`.
 */
export function replaceImportExtensions(
  files: readonly GeneratedFile[],
  extension: ImportExtension,
): readonly GeneratedFile[] {
  if (extension === "js") return files;
  const replacement = extension === "none" ? '$1"' : '$1.ts"';
  return files.map((file) =>
    "text" in file ? { ...file, text: file.text.replace(relativeImport, replacement) } : file,
  );
}

/** A statement of the formatter ends with its module, and a text has its quotes escaped. */
const relativeImport = /((?:^(?:import|export|\}) (?:.* )?from |\bimport\()"\.{1,2}\/[^"\n]*)\.js"/gm;
