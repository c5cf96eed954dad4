import { existsSync } from "node:fs";
import path from "node:path";
import { list, UsageError, type Option } from "@plumbline/command-line";
import { type CommandIo } from "./command.js";

/** The option `--code`. */
export function codeOption(help: string): Option<readonly string[] | undefined> {
  return list("PATHS", `${help}, separated by commas. Requires the package @plumbline/codemods`, "file");
}

/**
 * Reads the option `--code`.
 *
 * @returns absolute paths of files and folders; none without the option
 * @throws UsageError if one does not exist
 */
export function readCodePaths(code: readonly string[] = [], { folder }: CommandIo): readonly string[] {
  const paths = code.map((each) => path.resolve(folder, each));
  const missing = paths.find((each) => !existsSync(each));
  if (missing !== undefined) throw new UsageError(`There is no ${missing}. --code takes files and folders.`);
  return paths;
}

/** The path of a file of the user, as commands display it. */
export function displayPath(file: string, { folder }: CommandIo): string {
  return path.relative(folder, file).replaceAll(path.sep, "/");
}
