import { existsSync } from "node:fs";
import path from "node:path";
import { parseList, UsageError, type CommandIo, type ParsedArgs } from "./command.js";

/**
 * Reads the option `--code`.
 *
 * @returns absolute paths of files and folders; none without the option
 * @throws UsageError if one does not exist
 */
export function readCodePaths(args: ParsedArgs, { folder }: CommandIo): readonly string[] {
  const paths = parseList(args, "code").map((each) => path.resolve(folder, each));
  const missing = paths.find((each) => !existsSync(each));
  if (missing !== undefined) throw new UsageError(`There is no ${missing}. --code takes files and folders.`);
  return paths;
}

/** The path of a file of the user, as commands display it. */
export function displayPath(file: string, { folder }: CommandIo): string {
  return path.relative(folder, file).replaceAll(path.sep, "/");
}
