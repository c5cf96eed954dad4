import { didYouMean } from "@plumbline/kit/openapi";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { styleText } from "node:util";
import type { OptionKind } from "@plumbline/command-line";
import { isConfigFile, readConfig, type Config } from "../config/config.js";
import type { DescriptionResult, PipelineOptions } from "../pipeline.js";
import { artifactKinds, usualArtifacts } from "../artifact-kinds.js";
import { DiagnosticsError, type Diagnostic, formatDiagnostics, type FormatOptions } from "@plumbline/kit/model";

/** 0: success. 1: problems in the input, or a failed write. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** An output stream. Colours, progress and questions require a terminal. */
export type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** The streams of a command, and the folder that its paths are relative to. */
export interface CommandIo {
  /** Default: standard input. */
  readonly input?: NodeJS.ReadableStream;
  readonly out: OutputStream;
  readonly error: OutputStream;
  readonly folder: string;
}

/** The parsed arguments after the name of a command. */
export interface ParsedArgs {
  readonly text: (option: string) => string | undefined;
  readonly flag: (option: string) => boolean;
  readonly positionals: readonly string[];
}

export interface Command {
  readonly help: string;
  /** The code of the repository that the command runs, in its help. Absent: none. */
  readonly runsCode?: string;
  readonly options: Readonly<Record<string, OptionKind>>;
  /** The letters of options that have one, such as `o` for `output`. */
  readonly short?: Readonly<Record<string, string>>;
  readonly positionals: number;
  /** What positional arguments are, for the completion in shells. Default: any text. */
  readonly argument?: OptionKind;
  readonly run: (args: ParsedArgs, io: CommandIo) => Promise<ExitCode>;
}

/** The command line is invalid. The message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The option of every command that reads descriptions. */
export const allowOutsideOption = "allow-outside";

/** Its text in the help of a command. */
export const allowOutsideHelp: string = `  --allow-outside
                 read references outside of the folder of plumbline.yaml, or outside of the repository of the description`;

/** Whether an argument is a URL instead of a path. */
export function isUrl(argument: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(argument);
}

/** Says what to do with a URL where a command reads files. */
export const urlIsNoFile = "A URL is not a file. Save the description once";

export async function loadConfig(args: ParsedArgs, io: CommandIo): Promise<Config> {
  const named = args.text("spec") ?? args.positionals[0];
  const spec = named === "-" ? await readInput(io) : named;
  if (spec !== undefined && isUrl(spec))
    throw new UsageError(`${urlIsNoFile} with plumbline init URL, or pass it with --spec -.`);
  const overlays = parseList(args, "overlay");
  if (overlays.length > 0 && (spec === undefined || isConfigFile(spec)))
    throw new UsageError("--overlay requires a description. Pass one with --spec, or list overlays in plumbline.yaml.");
  const allowOutside = args.flag(allowOutsideOption);
  const only = parseList(args, "only");
  const artifacts = only.length === 0 ? usualArtifacts : only;
  return readConfig({ spec, overlays, out: args.text("out"), from: io.folder, artifactKinds, artifacts, allowOutside });
}

async function readInput({ input = process.stdin, folder }: CommandIo): Promise<string> {
  if ("isTTY" in input && input.isTTY === true)
    throw new UsageError("- is standard input. Pipe a description to it, such as: cat openapi.yaml | plumbline lint -");
  const { readStandardInput } = await import("./standard-input.js");
  return readStandardInput(input, folder);
}

/** The values of an option with a comma-separated list. */
export function parseList(args: ParsedArgs, option: string): readonly string[] {
  return (args.text(option) ?? "").split(",").filter((part) => part !== "");
}

/** The artifacts of `--only`; empty for all of them. */
export function selectedArtifacts(args: ParsedArgs, config: Config): readonly string[] {
  const only = parseList(args, "only");
  const unknown = only.find((kind) => !config.artifactKinds.includes(kind));
  if (unknown === undefined) return only;
  throw new UsageError(`Unknown artifact "${unknown}". ${didYouMean(unknown, config.artifactKinds, "artifacts")}`);
}

/** Reads all descriptions, or throws a DiagnosticsError with the problems of all of them. */
export async function readAllOrThrow(
  args: ParsedArgs,
  io: CommandIo,
  options: Omit<PipelineOptions, "progress"> & { readonly progress?: (text: string | undefined) => void } = {},
): Promise<readonly DescriptionResult[]> {
  const { runPipeline } = await import("../pipeline.js");
  const { results, rejected } = await runPipeline(await loadConfig(args, io), options);
  options.progress?.(undefined);
  const diagnostics = rejected.flatMap((each) =>
    each.diagnostics.map((diagnostic) => relocateDiagnostic(diagnostic, each.folder, io)),
  );
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
    color: io.out.isTTY === true && process.env["NO_COLOR"] === undefined,
    codeFrames: io.out.isTTY === true,
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

export function locateDiagnostic(diagnostic: Diagnostic, read: DescriptionResult, io: CommandIo): Diagnostic {
  return relocateDiagnostic(diagnostic, read.folder, io);
}

/** Creates a function that replaces the progress line. Without a terminal it does nothing. */
export function createProgress(io: CommandIo, quiet: boolean): (text: string | undefined) => void {
  if (quiet || io.error.isTTY !== true) return () => undefined;
  return (text) => io.error.write(`\r\u001b[K${text === undefined ? "" : `${text} …`}`);
}

export function applyStyle(stream: OutputStream, style: "bold", text: string): string {
  return stream.isTTY === true && process.env["NO_COLOR"] === undefined ? styleText(style, text) : text;
}
