import type { CodeMigration, MigrationStep } from "@plumbline/codemods/migrate";
import { flag, oneOf, optionalArgument, string, UsageError, type OptionValues } from "@plumbline/command-line";
import { codeOption, displayPath, readCodePaths } from "./code-paths.js";
import { defineCommand, type CommandIo, type ExitCode, type PlumblineCommand } from "./command.js";
import { compareInputs, revisionOptions } from "./compare-inputs.js";
import { loadCodemods } from "./load-codemods.js";
import { migrateFromTool } from "./migrate/migrate-from-tool.js";
import { formatMigratedFiles, formatUnreadableFiles, writeMigratedFiles } from "./migrate/write-files.js";

const options = {
  old: optionalArgument(
    string(
      "OLD",
      "a description, a plumbline.yaml, a folder with one, or a git revision, as for plumbline diff: what the client of the code was generated from. With --from, the current description. Default there: the nearest plumbline.yaml",
      "file",
    ),
  ),
  next: optionalArgument(string("NEW", "the current description. Default: the working tree", "file")),
  ...revisionOptions,
  from: oneOf(
    "TOOL",
    ["openapi-fetch", "hey-api", "express-openapi-validator"],
    "openapi-fetch, hey-api or express-openapi-validator. The page docs/from-other-tools.md shows how to move from others",
  ),
  client: string(
    "NAME",
    "what the code then imports the client from: a package, or the path of its sources, such as ./src/api. Default: the package of the client in plumbline.yaml",
    "file",
  ),
  validator: string("NAME", "the same for the validator that replaces express-openapi-validator", "file"),
  code: codeOption("files and folders of TypeScript or JavaScript"),
  write: flag("change the files. Fails where git has uncommitted changes in them"),
  force: flag("with --write: change them all the same"),
  json: flag("print the result as JSON"),
};

export const migrateCommand: PlumblineCommand = defineCommand({
  usage: "(OLD [NEW] | [DESCRIPTION] --from TOOL [--client NAME]) --code PATHS [--write] [--force] [--json]",
  text: "Brings code that uses an API from one version of its description to the next, and prints a diff and what is left to decide. It replaces the names of operations, types, fields, parameters and paths that were renamed, and marks what is newly required with TODO, which does not compile. Everything else in the files stays as it is. With --from it brings code from another tool to the packages that are generated from a description.",
  options,
  examples: [
    "plumbline migrate v4.yaml v5.yaml --code src,test",
    "plumbline migrate v4.yaml v5.yaml --code src,test --write",
    "plumbline migrate openapi.yaml --from openapi-fetch --client @pets/client --code src",
  ],
  run: migrate,
});

async function migrate(values: OptionValues<typeof options>, io: CommandIo): Promise<ExitCode> {
  const { old, next, from, spec, allowOutside } = values;
  const code = readCodePaths(values.code, io);
  if (code.length === 0) throw new UsageError("Missing option --code: the files and folders to migrate.");
  if (from !== undefined) return migrateFromTool({ ...values, from, code }, io);
  if (old === undefined) throw new UsageError("Missing argument OLD: a file, a folder or a git revision.");
  const { migrateCode } = await loadCodemods("plumbline migrate");
  const compared = await compareInputs({ oldName: old, newName: next, spec, allowOutside }, io);
  const migrations = compared.descriptions.map((each) => migrateCode({ ...each, code }));
  const files = migrations.flatMap((each) => each.files);
  const twice = files.find(({ file }, index) => files.findIndex((each) => each.file === file) < index);
  if (twice !== undefined)
    throw new UsageError(
      `${displayPath(twice.file, io)} uses several descriptions. Migrate them one after the other, with their files as OLD and NEW.`,
    );
  const isWritten = writeMigratedFiles(files, values, io);
  io.stdout.write(values.json ? formatJson(migrations, io) : formatText(migrations, isWritten, io));
  return 0;
}

function formatText(migrations: readonly CodeMigration[], isWritten: boolean, io: CommandIo): string {
  const files = migrations.flatMap((each) => each.files);
  const steps = (key: "done" | "toDecide" | "toCheck"): readonly MigrationStep[] =>
    migrations.flatMap((each) => each[key]);
  const unreadable = migrations.flatMap((each) => each.unreadable);
  const lines = [
    ...formatMigratedFiles(files, isWritten, io),
    ...formatSteps("To decide", steps("toDecide"), io),
    ...formatSteps("To check, since it depends on values", steps("toCheck"), io),
    ...formatUnreadableFiles(unreadable, io),
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
