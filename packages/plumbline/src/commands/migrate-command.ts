import type { CodeMigration, MigrationStep } from "@plumbline/codemods/migrate";
import { compareInputs } from "./compare-inputs.js";
import { displayPath, readCodePaths } from "./code-paths.js";
import { loadCodemods } from "./load-codemods.js";
import { migrateFromTool } from "./migrate/migrate-from-tool.js";
import { formatMigratedFiles, formatUnreadableFiles, writeMigratedFiles } from "./migrate/write-files.js";
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
  options: {
    spec: "file",
    [allowOutsideOption]: "flag",
    from: ["openapi-fetch", "hey-api", "express-openapi-validator"],
    client: "file",
    validator: "file",
    code: "file",
    write: "flag",
    force: "flag",
    json: "flag",
  },
  positionals: 2,
  argument: "file",
  help: `plumbline migrate (OLD [NEW] | [DESCRIPTION] --from TOOL [--client NAME]) --code PATH,… [--write] [--force] [--json]

Brings code that uses an API from one version of its description to the next, and prints a diff and what is left to decide.
It replaces the names of operations, types, fields, parameters and paths that were renamed, and marks what is newly required with
TODO, which does not compile. Everything else in the files stays as it is. With --from it brings code from another tool to the packages
that are generated from a description.

  OLD, NEW       a description, a plumbline.yaml, a folder with one, or a git revision, as for plumbline diff. OLD is the
                   description that the client of the code was generated from. Default of NEW: the working tree
  DESCRIPTION    the same, of the current version. Default: the nearest plumbline.yaml
  --from TOOL    openapi-fetch, hey-api or express-openapi-validator. The page docs/from-other-tools.md shows how to move from others
  --client NAME  what the code then imports the client from: a package, or the path of its sources, such as ./src/api. Default: the
                   package of the client in plumbline.yaml
  --validator NAME
                 the same for the validator that replaces express-openapi-validator
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
  plumbline migrate openapi.yaml --from openapi-fetch --client @pets/client --code src
`,
  run: migrate,
};

async function migrate(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const [oldName, newName] = args.positionals;
  const from = args.text("from");
  const code = readCodePaths(args, io);
  if (code.length === 0) throw new UsageError("Missing option --code: the files and folders to migrate.");
  if (from !== undefined) return migrateFromTool({ from, code }, args, io);
  if (oldName === undefined) throw new UsageError("Missing argument OLD: a file, a folder or a git revision.");
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
  const isWritten = writeMigratedFiles(files, args, io);
  io.out.write(args.flag("json") ? formatJson(migrations, io) : formatText(migrations, isWritten, io));
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
