import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { MigratedFile } from "@plumbline/codemods/migrate";
import { UsageError } from "@plumbline/command-line";
import { unifiedDiff } from "../../write/unified-diff.js";
import { displayPath } from "../code-paths.js";
import type { CommandIo } from "../command.js";

/**
 * Writes the files of a migration, if the arguments say so.
 *
 * @returns whether it wrote them
 * @throws UsageError if git has uncommitted changes in one of them, unless `--force` is there
 */
export function writeMigratedFiles(
  files: readonly MigratedFile[],
  { write, force }: { readonly write: boolean; readonly force: boolean },
  io: CommandIo,
): boolean {
  if (!write) return false;
  const existing = files.map(({ file }) => file).filter((file) => existsSync(file));
  const changed = force ? [] : uncommittedOf(existing, io.folder);
  if (changed.length > 0)
    throw new UsageError(
      `git has uncommitted changes in ${changed.map((each) => displayPath(each, io)).join(", ")}. Commit them, or pass --force.`,
    );
  for (const { file, text } of files) writeFileSync(file, text);
  return true;
}

/** Formats each file of a migration: with its diff, or with its name alone once it is written. */
export function formatMigratedFiles(
  files: readonly MigratedFile[],
  isWritten: boolean,
  io: CommandIo,
): readonly string[] {
  return files.map(({ file, original, text }) =>
    isWritten
      ? `changed  ${displayPath(file, io)}`
      : `${displayPath(file, io)}\n${unifiedDiff(original, text, Infinity)}`,
  );
}

/** Formats the files that do not parse. */
export function formatUnreadableFiles(files: readonly string[], io: CommandIo): readonly string[] {
  if (files.length === 0) return [];
  return ["Not read, since they have syntax errors", ...files.map((each) => `  ${displayPath(each, io)}`), ""];
}

/** The files with changes that git has not committed. Empty outside of a repository. */
function uncommittedOf(files: readonly string[], folder: string): readonly string[] {
  if (files.length === 0) return [];
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const top = git("rev-parse", "--show-toplevel").trim();
    const status = git("status", "--porcelain", "-z", "--untracked-files=all", "--", ...files).split("\0");
    return status.filter(Boolean).map((each) => path.join(top, each.slice(3)));
  } catch {
    return [];
  }
}
