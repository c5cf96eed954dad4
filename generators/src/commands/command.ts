import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { styleText } from "node:util";
import { isConfigFile, readConfig, type Config } from "../config.js";
import type { Read, ReadOptions } from "../generate.js";
import { kinds } from "../kinds.js";
import { ProblemError, type Problem } from "../problem.js";
import { print, type PrintOptions } from "../report.js";

/** 0: success. 1: problems in the input, or a failed write. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** An output stream. Colours, progress and questions require a terminal. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** The output of a command, and the folder that its paths are relative to. */
export interface Terminal {
  readonly out: Output;
  readonly error: Output;
  readonly folder: string;
}

/** The parsed arguments after the name of a command. */
export interface Given {
  readonly text: (option: string) => string | undefined;
  readonly flag: (option: string) => boolean;
  readonly positionals: readonly string[];
}

export interface Command {
  readonly help: string;
  readonly options: Readonly<Record<string, "text" | "flag">>;
  readonly positionals: number;
  readonly run: (given: Given, terminal: Terminal) => Promise<ExitCode>;
}

/** The command line is invalid. The message says why. */
export class UsageError extends Error {}

/** The option of every command that reads descriptions. */
export const outsideOption = "allow-outside";

/** Its text in the help of a command. */
export const outsideHelp: string = `  --allow-outside
                 read references outside of the folder of plumbline.yaml, or outside of the repository of the description`;

export async function findConfig(given: Given, terminal: Terminal): Promise<Config> {
  const spec = given.text("spec") ?? given.positionals[0];
  const overlays = listOf(given, "overlay");
  if (overlays.length > 0 && (spec === undefined || isConfigFile(spec)))
    throw new UsageError("--overlay requires a description. Pass one with --spec, or list overlays in plumbline.yaml.");
  const allowOutside = given.flag(outsideOption);
  return readConfig({ spec, overlays, out: given.text("out"), from: terminal.folder, kinds, allowOutside });
}

/** The values of an option with a comma-separated list. */
export function listOf(given: Given, option: string): readonly string[] {
  return (given.text(option) ?? "").split(",").filter((part) => part !== "");
}

/** The artifacts of `--only`; empty for all of them. */
export function chosenOf(given: Given, config: Config): readonly string[] {
  const only = listOf(given, "only");
  const unknown = only.find((kind) => !config.kinds.includes(kind));
  if (unknown === undefined) return only;
  throw new UsageError(`Unknown artifact "${unknown}". Known artifacts: ${config.kinds.join(", ")}.`);
}

/** Reads all descriptions, or throws a ProblemError with the problems of all of them. */
export async function readOrRefuse(
  given: Given,
  terminal: Terminal,
  options: Omit<ReadOptions, "progress"> & { readonly progress?: (text: string | undefined) => void } = {},
): Promise<readonly Read[]> {
  const { readAll } = await import("../generate.js");
  const { reads, refused } = await readAll(await findConfig(given, terminal), options);
  options.progress?.(undefined);
  const problems = refused.flatMap((each) => each.problems.map((problem) => relocated(problem, each.folder, terminal)));
  if (problems.length > 0) throw new ProblemError(problems);
  return reads;
}

export function printed(problems: readonly Problem[], format: PrintOptions["format"], terminal: Terminal): string {
  return print(problems, {
    format,
    color: terminal.out.isTTY === true && process.env["NO_COLOR"] === undefined,
    frames: terminal.out.isTTY === true,
    read: (file) => textOf(path.resolve(terminal.folder, file)),
  });
}

/** Returns an empty text for an unreadable file, and for anything but a regular file: a device may never end. */
function textOf(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  return status?.isFile() === true && status.size < largestShown ? readFileSync(file, "utf8") : "";
}

const largestShown = 2 ** 26; // bytes: the size limit of input files

/** Makes the path of a problem relative to the current folder. */
export function relocated(problem: Problem, folder: string, terminal: Terminal): Problem {
  const file = path.relative(terminal.folder, path.join(folder, problem.origin.file)).split(path.sep).join("/");
  return { ...problem, origin: { ...problem.origin, file } };
}

export function located(problem: Problem, read: Read, terminal: Terminal): Problem {
  return relocated(problem, read.folder, terminal);
}

/** Creates a function that replaces the progress line. Without a terminal it does nothing. */
export function progressOn(terminal: Terminal, quiet: boolean): (text: string | undefined) => void {
  if (quiet || terminal.error.isTTY !== true) return () => undefined;
  return (text) => terminal.error.write(`\r\u001b[K${text === undefined ? "" : `${text} …`}`);
}

export function paint(stream: Output, style: "bold", text: string): string {
  return stream.isTTY === true && process.env["NO_COLOR"] === undefined ? styleText(style, text) : text;
}
