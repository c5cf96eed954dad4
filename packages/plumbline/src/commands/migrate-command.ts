import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { CodeMigration, MigrationStep } from "@plumbline/codemods/migrate";
import { compareInputs } from "./compare-inputs.js";
import { displayPath, readCodePaths } from "./code-paths.js";
import { loadCodemods } from "./load-codemods.js";
import { unifiedDiff } from "../write/unified-diff.js";
import {
  UsageError,
  allowOutsideHelp,
  allowOutsideOption,
  type Command,
  type CommandIo,
  type ExitCode,
  type ParsedArgs,
} from "./command.js";

export const migrateCommand: Command = {
  options: { spec: "file", [allowOutsideOption]: "flag", code: "file", write: "flag", force: "flag", json: "flag" },
  positionals: 2,
  argument: "file",
  help: `plumbline migrate OLD [NEW] --code PATH,… [--write] [--force] [--json]

Brings code that uses an API from one version of its description to the next, and prints a diff and what is left to decide.
It replaces the names of operations, types, fields, parameters and paths that were renamed, and marks what is newly required with
TODO, which does not compile. Everything else in the files stays as it is.

  OLD, NEW       a description, a plumbline.yaml, a folder with one, or a git revision, as for plumbline diff. OLD is the
                   description that the client of the code was generated from. Default of NEW: the working tree
  --code PATH,…  files and folders of TypeScript or JavaScript. Requires the package @plumbline/codemods
  --write        change the files. Fails where git has uncommitted changes in them
  --force        with --write: change them all the same
  --json         print the result as JSON
  --spec FILE    the plumbline.yaml or description to read from a revision. Default: spec/plumbline.yaml of this folder or the
                   nearest parent folder
${allowOutsideHelp}

Examples
  plumbline migrate v4.yaml v5.yaml --code src,test
  plumbline migrate v4.yaml v5.yaml --code src,test --write
`,
  run: migrate,
};

async function migrate(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const [oldName, newName] = args.positionals;
  if (oldName === undefined) throw new UsageError("Missing argument OLD: a file, a folder or a git revision.");
  const code = readCodePaths(args, io);
  if (code.length === 0) throw new UsageError("Missing option --code: the files and folders to migrate.");
  const { migrateCode } = await loadCodemods("plumbline migrate");
  const compared = await compareInputs(
    { oldName, newName, spec: args.text("spec"), allowOutside: args.flag(allowOutsideOption) },
    io,
  );
  const migrations = compared.descriptions.map((each) => migrateCode({ ...each, code }));
  const files = migrations.flatMap((each) => each.files);
  const twice = files.find(({ file }, index) => files.findIndex((each) => each.file === file) < index);
  if (twice !== undefined)
    throw new UsageError(
      `${displayPath(twice.file, io)} uses several descriptions. Migrate them one after the other, with their files as OLD and NEW.`,
    );
  if (args.flag("write")) {
    const changed = args.flag("force")
      ? []
      : uncommittedOf(
          files.map(({ file }) => file),
          io.folder,
        );
    if (changed.length > 0)
      throw new UsageError(
        `git has uncommitted changes in ${changed.map((each) => displayPath(each, io)).join(", ")}. Commit them, or pass --force.`,
      );
    for (const { file, text } of files) writeFileSync(file, text);
  }
  io.out.write(args.flag("json") ? formatJson(migrations, io) : formatText(migrations, args.flag("write"), io));
  return 0;
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

function formatText(migrations: readonly CodeMigration[], isWritten: boolean, io: CommandIo): string {
  const files = migrations.flatMap((each) => each.files);
  const steps = (key: "done" | "toDecide" | "toCheck"): readonly MigrationStep[] =>
    migrations.flatMap((each) => each[key]);
  const unreadable = migrations.flatMap((each) => each.unreadable);
  const lines = [
    ...files.map(({ file, original, text }) =>
      isWritten
        ? `changed  ${displayPath(file, io)}`
        : `${displayPath(file, io)}\n${unifiedDiff(original, text, Infinity)}`,
    ),
    ...formatSteps("To decide", steps("toDecide"), io),
    ...formatSteps("To check, since it depends on values", steps("toCheck"), io),
    ...(unreadable.length === 0
      ? []
      : ["Not read, since they have syntax errors", ...unreadable.map((each) => `  ${displayPath(each, io)}`), ""]),
  ];
  const changed = files.length === 1 ? "1 file" : `${files.length} files`;
  const summary = `${changed} ${isWritten ? "changed" : "to change"}: ${steps("done").length} done, ${steps("toDecide").length} to decide, ${steps("toCheck").length} to check.`;
  const hint = isWritten || files.length === 0 ? "" : " Add --write to change them.";
  return `${[...lines, `${summary}${hint}`].join("\n")}\n`;
}

function formatSteps(title: string, steps: readonly MigrationStep[], io: CommandIo): readonly string[] {
  if (steps.length === 0) return [];
  const lines = steps.map(
    ({ file, line, difference }) => `  ${displayPath(file, io)}:${line}  ${difference.code}  ${difference.message}`,
  );
  return [`${title} (${steps.length})`, ...lines, ""];
}

function formatJson(migrations: readonly CodeMigration[], io: CommandIo): string {
  const toStep = ({ file, line, difference: { code, message } }: MigrationStep): object => ({
    file: displayPath(file, io),
    line,
    code,
    message,
  });
  const result = {
    files: migrations.flatMap(({ files }) => files.map(({ file }) => displayPath(file, io))),
    done: migrations.flatMap(({ done }) => done.map(toStep)),
    toDecide: migrations.flatMap(({ toDecide }) => toDecide.map(toStep)),
    toCheck: migrations.flatMap(({ toCheck }) => toCheck.map(toStep)),
    unreadable: migrations.flatMap(({ unreadable }) => unreadable.map((each) => displayPath(each, io))),
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}
