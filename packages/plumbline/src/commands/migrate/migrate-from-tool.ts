import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { MigratedTool, ToolMigration, ToolStep } from "@plumbline/codemods/migrate";
import { UsageError } from "@plumbline/command-line";
import type { Config } from "../../config/config.js";
import { DiffInputError, findSpec, openDiffInput, readDiffModel, type DiffInput } from "../../diff-inputs.js";
import { displayPath } from "../code-paths.js";
import type { CommandIo, ExitCode } from "../command.js";
import { loadCodemods } from "../load-codemods.js";
import { formatMigratedFiles, formatUnreadableFiles, writeMigratedFiles } from "./write-files.js";

/** The options of `plumbline migrate --from`. */
export interface MigrateFromToolValues {
  readonly from: MigratedTool;
  /** Absolute paths. */
  readonly code: readonly string[];
  /** The description. */
  readonly old: string | undefined;
  readonly next: string | undefined;
  readonly spec: string | undefined;
  readonly allowOutside: boolean;
  readonly client: string | undefined;
  readonly validator: string | undefined;
  readonly write: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

/** Brings code from another tool to the packages that are generated from a description. */
export async function migrateFromTool(
  { from: tool, code, ...values }: MigrateFromToolValues,
  io: CommandIo,
): Promise<ExitCode> {
  const codemods = await loadCodemods("plumbline migrate");
  if (values.next !== undefined) throw new UsageError("--from takes one description.");
  const kind = tool === "express-openapi-validator" ? "validator" : "client";
  const target: Target = { kind, named: values[kind] };
  const input = await openDescription(values, target, io);
  try {
    const [description, ...others] = input.config.descriptions;
    if (description === undefined || others.length > 0)
      throw new UsageError("plumbline.yaml lists several descriptions. Pass the file of the one that the code uses.");
    const module = readTarget(target, input.config, io);
    const { api } = await readDiffModel(description, input);
    const migration = codemods.migrateFromTool(tool, { api, code, target: module });
    const isWritten = writeMigratedFiles(migration.files, values, io);
    io.stdout.write(values.json ? formatJson(migration, io) : formatText(migration, isWritten, io));
    return 0;
  } finally {
    input.close();
  }
}

/** Opens the description. One that the nearest plumbline.yaml lists has its overlays, names and packages from there. */
async function openDescription(
  { old, spec: given, allowOutside }: Pick<MigrateFromToolValues, "old" | "spec" | "allowOutside">,
  target: Target,
  { folder }: CommandIo,
): Promise<DiffInput> {
  const spec = await findSpec(given, folder);
  const open = async (input: string): Promise<DiffInput> => openDiffInput(input, { from: folder, spec, allowOutside });
  try {
    const nearest = await findSpec(undefined, folder);
    if (old === undefined) {
      const input = spec ?? nearest;
      if (input === undefined)
        throw new UsageError("Missing argument DESCRIPTION: a file, a folder or a git revision.");
      return await open(input);
    }
    const named = await findSpec(old, folder);
    // A plumbline.yaml, a folder with one, and a git revision bring their own packages.
    if (named === undefined || nearest === undefined || path.basename(named) === "plumbline.yaml")
      return await open(old);
    const { config, ...input } = await open(nearest);
    const listed = config.descriptions.filter(({ description }) => description === named);
    if (listed.length > 0) return { ...input, config: { ...config, descriptions: listed } };
    if (target.named !== undefined) return await open(old);
    throw new UsageError(
      `${old} is not a description of ${input.displayPath(nearest)}. Leave it out to use that configuration, or pass --${target.kind}, the name of the generated package.`,
    );
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
function readTarget({ kind: target, named }: Target, { descriptions }: Config, { folder }: CommandIo): string {
  if (named !== undefined) return /^[./]/.test(named) ? findIndex(path.resolve(folder, named)) : named;
  const artifact = descriptions[0]?.artifacts.find(({ kind }) => kind === target);
  if (artifact?.sourcesOnly === true) return path.join(artifact.out, "index.ts");
  if (artifact?.package !== undefined) return artifact.package;
  throw new UsageError(`Missing option --${target}: the name of the generated package, or the path of its sources.`);
}

/** The file of a folder that exports everything. */
function findIndex(there: string): string {
  if (statSync(there, { throwIfNoEntry: false })?.isDirectory() !== true) return there;
  const files = ["index.ts", "src/index.ts", "src/gen/index.ts"].map((each) => path.join(there, each));
  const file = files.find((each) => existsSync(each));
  if (file === undefined) throw new UsageError(`There is no index.ts in ${there}.`);
  return file;
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
