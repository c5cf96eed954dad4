import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { styleText } from "node:util";
import {
  defineCommand as defineAnyCommand,
  flag,
  formatSuggestion,
  list,
  optionalArgument,
  string,
  UsageError,
  type Command,
  type CommandDefinition,
  type Option,
  type Options,
  type OptionValues,
} from "@plumbline/command-line";
import { DiagnosticsError, type Diagnostic, formatDiagnostics, type FormatOptions } from "@plumbline/kit/model";
import { artifactKinds, usualArtifacts } from "../artifact-kinds.js";
import { isConfigFile, readConfig, type Config } from "../config/config.js";
import type { FolderDiagnostics } from "../generation-plan.js";
import type { DescriptionResult, PipelineOptions } from "../pipeline.js";

/** 0: success. 1: problems in the input, or a failed write. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** An output stream. Colours, progress and questions require a terminal. */
export type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** The streams of a command, and the folder that its paths are relative to. */
export interface CommandIo {
  /** Default: standard input. */
  readonly input?: NodeJS.ReadableStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly folder: string;
}

export type PlumblineCommand = Command<CommandIo>;

/** Defines a command whose help says which code of the repository it runs. Default: none. */
export function defineCommand<Table extends Options>({
  notes = "Runs no code of the repository.",
  ...definition
}: CommandDefinition<Table, CommandIo>): PlumblineCommand {
  return defineAnyCommand({ ...definition, notes });
}

/** The options of commands that read descriptions. */
export const descriptionOptions: DescriptionOptions = {
  file: optionalArgument(
    string(
      "FILE",
      "a plumbline.yaml or a description; the same as --spec FILE. - reads a description from standard input",
      "file",
    ),
  ),
  spec: string(
    "FILE",
    "a plumbline.yaml or a description. Default: spec/plumbline.yaml of this folder or the nearest parent folder",
    "file",
  ),
  overlay: list("LIST", "overlays of the description, separated by commas, applied in this order", "file"),
  allowOutside: flag(
    "read references outside of the folder of plumbline.yaml, or outside of the repository of the description",
  ),
};

type DescriptionOptions = Readonly<{
  file: Option<string | undefined>;
  spec: Option<string | undefined>;
  overlay: Option<readonly string[] | undefined>;
  allowOutside: Option<boolean>;
}>;

/** The descriptions that options name. */
export type DescriptionValues = Partial<OptionValues<DescriptionOptions>> & {
  /** The artifacts to generate. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** The folder for the packages. */
  readonly out?: string | undefined;
};

/** Whether an argument is a URL instead of a path. */
export function isUrl(argument: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(argument);
}

/** Says what to do with a URL where a command reads files. */
export const urlIsNoFile = "A URL is not a file. Save the description once";

export async function loadConfig(
  { file, spec = file, overlay: overlays = [], allowOutside = false, only = [], out }: DescriptionValues,
  io: CommandIo,
): Promise<Config> {
  const description = spec === "-" ? await readInput(io) : spec;
  if (description !== undefined && isUrl(description))
    throw new UsageError(`${urlIsNoFile} with plumbline init URL, or pass it with --spec -.`);
  if (overlays.length > 0 && (description === undefined || isConfigFile(description)))
    throw new UsageError("--overlay requires a description. Pass one with --spec, or list overlays in plumbline.yaml.");
  const artifacts = only.length === 0 ? usualArtifacts : only;
  return readConfig({ spec: description, overlays, out, from: io.folder, artifactKinds, artifacts, allowOutside });
}

async function readInput({ input = process.stdin, folder }: CommandIo): Promise<string> {
  if ("isTTY" in input && input.isTTY === true)
    throw new UsageError("- is standard input. Pipe a description to it, such as: cat openapi.yaml | plumbline lint -");
  const { readStandardInput } = await import("./standard-input.js");
  return readStandardInput(input, folder);
}

/** The artifacts of `--only`; empty for all of them. */
export function selectedArtifacts({ only = [] }: DescriptionValues, config: Config): readonly string[] {
  const unknown = only.find((kind) => !config.artifactKinds.includes(kind));
  if (unknown === undefined) return only;
  throw new UsageError(`Unknown artifact "${unknown}".${formatSuggestion(unknown, config.artifactKinds, "artifacts")}`);
}

/** Reads all descriptions, or throws a DiagnosticsError with the problems of all of them. */
export async function readAllOrThrow(
  args: DescriptionValues,
  io: CommandIo,
  options: Omit<PipelineOptions, "progress"> & { readonly progress?: (text: string | undefined) => void } = {},
): Promise<readonly DescriptionResult[]> {
  const { runPipeline } = await import("../pipeline.js");
  const { results, rejected } = await runPipeline(await loadConfig(args, io), options);
  options.progress?.(undefined);
  const diagnostics = relocateDiagnostics(rejected, io);
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return results;
}

export function formatForTerminal(
  diagnostics: readonly Diagnostic[],
  format: FormatOptions["format"],
  io: CommandIo,
): string {
  return formatDiagnostics(diagnostics, {
    format,
    color: io.stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
    codeFrames: io.stdout.isTTY === true,
    read: (file) => readFrameText(path.resolve(io.folder, file)),
  });
}

/** Returns an empty text for an unreadable file, and for anything but a regular file: a device may never end. */
function readFrameText(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  return status?.isFile() === true && status.size < maxFrameFileBytes ? readFileSync(file, "utf8") : "";
}

const maxFrameFileBytes = 2 ** 26; // bytes: the size limit of input files

/** Makes the path of a problem relative to the current folder. */
export function relocateDiagnostic(diagnostic: Diagnostic, folder: string, io: CommandIo): Diagnostic {
  const file = path.relative(io.folder, path.join(folder, diagnostic.origin.file)).split(path.sep).join("/");
  return { ...diagnostic, origin: { ...diagnostic.origin, file } };
}

/** The problems of descriptions in several folders. */
export function relocateDiagnostics(folders: readonly FolderDiagnostics[], io: CommandIo): readonly Diagnostic[] {
  return folders.flatMap(({ folder, diagnostics }) =>
    diagnostics.map((diagnostic) => relocateDiagnostic(diagnostic, folder, io)),
  );
}

export function locateDiagnostic(diagnostic: Diagnostic, read: DescriptionResult, io: CommandIo): Diagnostic {
  return relocateDiagnostic(diagnostic, read.folder, io);
}

/** Creates a function that replaces the progress line. Without a terminal it does nothing. */
export function createProgress(io: CommandIo, quiet: boolean): (text: string | undefined) => void {
  if (quiet || io.stderr.isTTY !== true) return () => undefined;
  return (text) => io.stderr.write(`\r\u001b[K${text === undefined ? "" : `${text} …`}`);
}

export function applyStyle(stream: OutputStream, style: "bold", text: string): string {
  return stream.isTTY === true && process.env["NO_COLOR"] === undefined ? styleText(style, text) : text;
}
