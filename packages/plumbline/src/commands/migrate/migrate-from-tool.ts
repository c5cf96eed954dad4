import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { ToolMigration, ToolStep } from "@plumbline/codemods/migrate";
import type { Config } from "../../config/config.js";
import { DiffInputError, findSpec, openDiffInput, readDiffModel } from "../../diff-inputs.js";
import { displayPath } from "../code-paths.js";
import { allowOutsideOption, UsageError, type CommandIo, type ExitCode, type ParsedArgs } from "../command.js";
import { loadCodemods } from "../load-codemods.js";
import { formatMigratedFiles, formatUnreadableFiles, writeMigratedFiles } from "./write-files.js";

/** Brings code from another tool to the packages that are generated from a description. */
export async function migrateFromTool(
  { from, code }: { readonly from: string; readonly code: readonly string[] },
  args: ParsedArgs,
  io: CommandIo,
): Promise<ExitCode> {
  const codemods = await loadCodemods("plumbline migrate");
  const tool = codemods.listMigratedTools().find((each) => each === from);
  if (tool === undefined)
    throw new UsageError(
      `Unknown tool "${from}". --from takes one of: ${codemods.listMigratedTools().join(", ")}. For orval, openapi-typescript-codegen and openapi-backend, the page docs/from-other-tools.md has code before and after.`,
    );
  if (args.positionals.length > 1) throw new UsageError("--from takes one description.");
  const input = await openDescription(args, io);
  try {
    const [description, ...others] = input.config.descriptions;
    if (description === undefined || others.length > 0)
      throw new UsageError("plumbline.yaml lists several descriptions. Pass the file of the one that the code uses.");
    const kind = tool === "express-openapi-validator" ? "validator" : "client";
    const target = readTarget({ kind, named: args.text(kind) }, input.config, io);
    const { api } = await readDiffModel(description, input);
    const migration = codemods.migrateFromTool(tool, { api, code, target });
    const isWritten = writeMigratedFiles(migration.files, args, io);
    io.out.write(args.flag("json") ? formatJson(migration, io) : formatText(migration, isWritten, io));
    return 0;
  } finally {
    input.close();
  }
}

async function openDescription(args: ParsedArgs, { folder }: CommandIo): ReturnType<typeof openDiffInput> {
  const spec = await findSpec(args.text("spec"), folder);
  const named = args.positionals[0] ?? spec ?? (await findSpec(undefined, folder));
  if (named === undefined) throw new UsageError("Missing argument DESCRIPTION: a file, a folder or a git revision.");
  try {
    return await openDiffInput(named, { from: folder, spec, allowOutside: args.flag(allowOutsideOption) });
  } catch (error) {
    throw error instanceof DiffInputError ? new UsageError(error.message) : error;
  }
}

interface Target {
  readonly kind: "client" | "validator";
  /** The value of the option. */
  readonly named: string | undefined;
}

/** What code imports the generated package from: a package, or the absolute path of a file. */
function readTarget({ kind: wanted, named }: Target, { descriptions }: Config, { folder }: CommandIo): string {
  if (named !== undefined) return /^[./]/.test(named) ? findIndex(path.resolve(folder, named)) : named;
  const artifact = descriptions[0]?.artifacts.find(({ kind }) => kind === wanted);
  if (artifact?.sourcesOnly === true) return path.join(artifact.out, "src/gen/index.ts");
  if (artifact?.package !== undefined) return artifact.package;
  throw new UsageError(`Missing option --${wanted}: the name of the generated package, or the path of its sources.`);
}

/** The file of a folder that exports everything. */
function findIndex(there: string): string {
  if (statSync(there, { throwIfNoEntry: false })?.isDirectory() !== true) return there;
  const files = ["index.ts", "src/index.ts", "src/gen/index.ts"].map((each) => path.join(there, each));
  const found = files.find((each) => existsSync(each));
  if (found === undefined) throw new UsageError(`There is no index.ts in ${there}.`);
  return found;
}

function formatText(migration: ToolMigration, isWritten: boolean, io: CommandIo): string {
  const { files, done, toDecide, notUnderstood, unreadable } = migration;
  const lines = [
    ...formatMigratedFiles(files, isWritten, io),
    ...formatSteps("To decide", toDecide, io),
    ...formatSteps("Not understood, and unchanged", notUnderstood, io),
    ...formatUnreadableFiles(unreadable, io),
  ];
  const changed = files.length === 1 ? "1 file" : `${files.length} files`;
  const summary = `${changed} ${isWritten ? "changed" : "to change"}: ${done.length} done, ${toDecide.length} to decide, ${notUnderstood.length} not understood.`;
  const hint = isWritten || files.length === 0 ? "" : " Add --write to change them.";
  return `${[...lines, `${summary}${hint}`].join("\n")}\n`;
}

function formatSteps(title: string, steps: readonly ToolStep[], io: CommandIo): readonly string[] {
  if (steps.length === 0) return [];
  const lines = steps.map(({ file, line, message }) => `  ${displayPath(file, io)}:${line}  ${message}`);
  return [`${title} (${steps.length})`, ...lines, ""];
}

function formatJson({ files, done, toDecide, notUnderstood, unreadable }: ToolMigration, io: CommandIo): string {
  const format = (steps: readonly ToolStep[]): readonly ToolStep[] =>
    steps.map((each) => ({ ...each, file: displayPath(each.file, io) }));
  const result = {
    files: files.map(({ file }) => displayPath(file, io)),
    done: format(done),
    toDecide: format(toDecide),
    notUnderstood: format(notUnderstood),
    unreadable: unreadable.map((each) => displayPath(each, io)),
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}
