import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parseArgs, styleText, type ParseArgsConfig } from "node:util";
import { generators } from "./artifacts.js";
import { readConfig, type Config } from "./config.js";
import { unifiedDiff } from "./emit/diff.js";
import { ForeignFileError, UnwrittenError, compare, write, type Difference, type Written } from "./emit/writer.js";
import { readAll, type Read, type ReadOptions } from "./generate.js";
import { ProblemError, type Problem } from "./problem.js";
import { print, type PrintOptions } from "./report.js";
import { isHole, trace } from "./trace.js";

/** 0: done. 1: problems in the input or in writing. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** Where a command writes, and whether somebody is looking. */
export interface Terminal {
  readonly out: NodeJS.WriteStream;
  readonly error: NodeJS.WriteStream;
  readonly folder: string;
}

/** Runs `plumbline` with these arguments. */
export async function main(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    terminal.out.write(help);
    return name === undefined ? 2 : 0;
  }
  if (name === "--version") {
    terminal.out.write(`${version()}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return misused(terminal, `There is no command "${name}".`);
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out.write(command.help);
    return 0;
  }
  let given: Given;
  try {
    const options: ParseArgsConfig["options"] = Object.fromEntries(
      command.options.map((option) => [option, { type: flags.has(option) ? "boolean" : "string" }] as const),
    );
    const { values, positionals } = parseArgs({
      args: rest,
      options,
      allowPositionals: command.positionals > 0,
      strict: true,
    });
    if (positionals.length > command.positionals)
      return misused(terminal, `"${positionals.at(-1) ?? ""}" is one argument too many.`);
    const text = (option: string): string | undefined =>
      typeof values[option] === "string" ? values[option] : undefined;
    given = { text, flag: (option) => values[option] === true, positionals };
  } catch (error) {
    return misused(terminal, error instanceof Error ? error.message : String(error));
  }
  try {
    return await command.run(given, terminal);
  } catch (error) {
    if (error instanceof UsageError) return misused(terminal, error.message);
    if (error instanceof ProblemError) return reportProblems(error.problems, given, terminal);
    if (error instanceof ForeignFileError) {
      const files = error.paths.map((file) => `  ${path.relative(terminal.folder, file)}`).join("\n");
      terminal.error.write(
        `These files are in the way, and the generator did not write them:\n${files}\nMove them away, or choose another folder with --out.\n`,
      );
      return 1;
    }
    if (error instanceof UnwrittenError) {
      terminal.error.write(`${path.relative(terminal.folder, error.path) || "."}  ${error.message}\n`);
      return 1;
    }
    if (error instanceof Error && "code" in error && typeof error.code === "string") {
      terminal.error.write(`${error.message}\nNothing was changed. Mend the cause and run the command again.\n`);
      return 1;
    }
    throw error;
  }
}

interface Given {
  readonly text: (option: string) => string | undefined;
  readonly flag: (option: string) => boolean;
  readonly positionals: readonly string[];
}

interface Command {
  readonly help: string;
  readonly options: readonly string[];
  readonly positionals: number;
  readonly run: (given: Given, terminal: Terminal) => Promise<ExitCode>;
}

const flags: ReadonlySet<string> = new Set(["check", "json", "holes"]);

class UsageError extends Error {}

const help = `plumbline: packages from an OpenAPI description.

Usage: plumbline COMMAND [options]

  generate   read, lint and write the packages (with --check: compare only)
  lint       say everything that is wrong with the description
  model      print what the description says, as JSON
  trace      follow every requirement into the description and the code

  --help     after a command: its options, with examples
  --version  the version of the generator

Without --spec a command looks for spec/plumbline.yaml here and above.
Exit codes: 0 done, 1 problems in the input or in writing, 2 wrong usage.
`;

const commands: Readonly<Record<string, Command>> = {
  generate: {
    options: ["spec", "out", "only", "check", "json"],
    positionals: 0,
    help: `plumbline generate [--spec FILE] [--out FOLDER] [--only ARTIFACT,…] [--check] [--json]

Lints the description and writes the packages that plumbline.yaml lists. With problems in the input nothing is written.

  --spec FILE    a plumbline.yaml, or an OpenAPI 3.0 or 3.1 description of your own
  --out FOLDER   where the packages go, each in a folder of its own
  --only LIST    only these artifacts, separated by commas (${Object.keys(generators).join(", ")})
  --check        writes nothing; fails, with a diff, when a file is stale, missing, orphaned or foreign
  --json         the outcome as one JSON object on standard output

Examples
  plumbline generate
  plumbline generate --check
  plumbline generate --spec openapi.yaml --out generated
`,
    run: generate,
  },
  lint: {
    options: ["spec", "format"],
    positionals: 1,
    help: `plumbline lint [FILE] [--format text|json|github]

Says everything that is wrong with the description, each problem with its place, what it is, and what to write instead.

  FILE           a plumbline.yaml or a description; or --spec FILE
  --format       text for people (the default), json, or github for annotations of a pull request

Examples
  plumbline lint
  plumbline lint openapi.yaml --format json
`,
    run: lintCommand,
  },
  model: {
    options: ["spec"],
    positionals: 1,
    help: `plumbline model [FILE]

Prints the model of the description as JSON: names settled, references followed, each node with its place.

Examples
  plumbline model | jq '.operations[].name'
`,
    run: modelCommand,
  },
  trace: {
    options: ["spec", "json", "holes"],
    positionals: 1,
    help: `plumbline trace [REQUIREMENT] [--holes] [--json]

Prints for every requirement where the description states it, what is generated from there, and which cases of the suite test it.
Fails when one is stated nowhere, or tested by nothing for no reason.

  REQUIREMENT    only this one, or those that begin so
  --holes        only those that are stated nowhere, or tested by nothing

Examples
  plumbline trace instance.label
  plumbline trace --holes
`,
    run: traceCommand,
  },
};

async function generate(given: Given, terminal: Terminal): Promise<ExitCode> {
  const started = performance.now();
  const only = (given.text("only") ?? "").split(",").filter((kind) => kind !== "");
  const unknown = only.find((kind) => !Object.hasOwn(generators, kind));
  if (unknown !== undefined)
    throw new UsageError(`There is no artifact "${unknown}"; there are: ${Object.keys(generators).join(", ")}.`);
  const progress = progressOn(terminal, given.flag("json"));
  const reads = await readOrRefuse(given, terminal, { progress, only });
  const planned = reads.flatMap((read) => read.packages);
  const warnings = reads.flatMap((read) => read.warnings.map((problem) => located(problem, read, terminal)));
  if (given.flag("check")) {
    progress("comparing");
    const differences = (await Promise.all(planned.map(compare))).flat();
    progress(undefined);
    return reportCheck(differences, {
      given,
      terminal,
      files: planned.reduce((sum, each) => sum + each.files.length, 0),
    });
  }
  progress("writing");
  const done = await write(...planned).finally(() => progress(undefined));
  const paths = (pick: keyof Written): readonly string[] =>
    done[pick].map((file) => path.relative(terminal.folder, file));
  const outcome = {
    written: paths("written"),
    unchanged: paths("unchanged"),
    removed: paths("removed"),
    seconds: secondsSince(started),
  };
  if (given.flag("json")) {
    terminal.out.write(`${JSON.stringify({ ...outcome, warnings }, undefined, 2)}\n`);
    return 0;
  }
  if (warnings.length > 0) terminal.error.write(printed(warnings, "text", terminal));
  for (const file of outcome.written) terminal.out.write(`wrote    ${file}\n`);
  for (const file of outcome.removed) terminal.out.write(`removed  ${file}\n`);
  const operations = reads.reduce((sum, read) => sum + read.api.operations.length, 0);
  terminal.out.write(
    `${operations} ${operations === 1 ? "operation" : "operations"}; ${outcome.written.length} files written, ${outcome.unchanged.length} unchanged, ${outcome.removed.length} removed in ${outcome.seconds} s\n`,
  );
  return 0;
}

async function lintCommand(given: Given, terminal: Terminal): Promise<ExitCode> {
  const format = given.text("format") ?? "text";
  if (format !== "text" && format !== "json" && format !== "github")
    throw new UsageError(`"${format}" is no format; write text, json or github.`);
  const config = await findConfig(given, terminal);
  const { reads, refused } = await readAll(config);
  const problems = [
    ...refused.flatMap((each) => each.problems.map((problem) => relocated(problem, each.folder, terminal))),
    ...reads.flatMap((read) => read.warnings.map((problem) => located(problem, read, terminal))),
  ];
  if (problems.length > 0 || format === "json") terminal.out.write(printed(problems, format, terminal));
  else
    terminal.out.write(
      `No problems in ${config.descriptions.map((each) => path.relative(terminal.folder, each.description)).join(", ")}.\n`,
    );
  return problems.some((problem) => problem.severity === "error") ? 1 : 0;
}

async function modelCommand(given: Given, terminal: Terminal): Promise<ExitCode> {
  const [read] = await readOrRefuse(given, terminal);
  terminal.out.write(`${JSON.stringify(read?.api, undefined, 2)}\n`);
  return 0;
}

async function traceCommand(given: Given, terminal: Terminal): Promise<ExitCode> {
  const prefix = given.positionals[0] ?? "";
  const [read] = await readOrRefuse({ ...given, positionals: [] }, terminal);
  if (read === undefined || read.api.requirements.length === 0)
    throw new UsageError("This description has no requirements to trace.");
  const suite = await read.suite?.();
  const all = trace(read.api, suite);
  const chosen = all.filter(
    (each) => each.requirement.id.startsWith(prefix) && (!given.flag("holes") || isHole(each, suite)),
  );
  const holes = all.filter((each) => isHole(each, suite));
  const folder = path.basename(read.folder);
  if (given.flag("json")) {
    terminal.out.write(`${JSON.stringify(chosen, undefined, 2)}\n`);
    return holes.length > 0 ? 1 : 0;
  }
  for (const { requirement, settledBy, code, checks, untested } of chosen) {
    const lines = [
      `${paint(terminal.out, "bold", requirement.id)}  ${requirement.section}, line ${requirement.line}`,
      `  ${requirement.open ? "open: " : ""}${requirement.says}`,
      ...settledBy.map((choice) => `  assumed: ${choice}`),
      ...requirement.statedAt.map((origin) => `  ${folder}/${origin.file}:${origin.line}  ${origin.pointer}`),
      ...(code.length > 0 ? [`  generates ${someOf(code, 8)}`] : []),
      ...(checks.length > 0 ? [`  tested by ${someOf(checks, 4)}`] : []),
      ...(untested === undefined ? [] : [`  not tested: ${untested}`]),
    ];
    terminal.out.write(`${lines.join("\n")}\n`);
  }
  const tested = all.filter((each) => each.checks.length > 0).length;
  const open = all.filter((each) => each.requirement.open).length;
  terminal.out.write(
    `${all.length} requirements, ${all.length - holes.length} stated, ${holes.length} holes; ${open} open points; ${read.api.assumptions.length} assumptions${suite === undefined ? "" : `; ${tested} tested by ${suite.cases.length} cases`}\n`,
  );
  return holes.length > 0 ? 1 : 0;
}

/** The first few of a list, and how many more there are. */
function someOf(items: readonly string[], most: number): string {
  return `${items.slice(0, most).join(", ")}${items.length > most ? ` and ${items.length - most} more` : ""}`;
}

async function findConfig(given: Given, terminal: Terminal): Promise<Config> {
  const spec = given.text("spec") ?? given.positionals[0];
  return readConfig({ spec, out: given.text("out"), from: terminal.folder, kinds: Object.keys(generators) });
}

/** Reads everything, or throws a ProblemError with the problems of all descriptions. */
async function readOrRefuse(
  given: Given,
  terminal: Terminal,
  options: Omit<ReadOptions, "progress"> & { readonly progress?: (text: string | undefined) => void } = {},
): Promise<readonly Read[]> {
  const { reads, refused } = await readAll(await findConfig(given, terminal), options);
  options.progress?.(undefined);
  const problems = refused.flatMap((each) => each.problems.map((problem) => relocated(problem, each.folder, terminal)));
  if (problems.length > 0) throw new ProblemError(problems);
  return reads;
}

function reportProblems(problems: readonly Problem[], given: Given, terminal: Terminal): ExitCode {
  if (given.flag("json")) terminal.out.write(printed(problems, "json", terminal));
  else terminal.error.write(printed(problems, "text", terminal));
  return 1;
}

function reportCheck(
  differences: readonly Difference[],
  { given, terminal, files }: { readonly given: Given; readonly terminal: Terminal; readonly files: number },
): ExitCode {
  const shown = differences.map((each) => ({ ...each, path: path.relative(terminal.folder, each.path) }));
  if (given.flag("json")) {
    terminal.out.write(
      `${JSON.stringify({ current: shown.length === 0, differences: shown.map(({ path: file, kind }) => ({ file, kind })) }, undefined, 2)}\n`,
    );
    return shown.length === 0 ? 0 : 1;
  }
  for (const each of shown) {
    terminal.out.write(`${each.kind.padEnd(8)} ${each.path}\n`);
    if (each.onDisk !== undefined && each.planned !== undefined)
      terminal.out.write(unifiedDiff(each.onDisk, each.planned));
  }
  const foreign = shown.filter((each) => each.kind === "foreign").length;
  const mendable = shown.length - foreign;
  if (shown.length === 0) terminal.out.write(`${files} generated files are current\n`);
  if (mendable > 0)
    terminal.out.write(`${mendable} of ${files} generated files are not current; run plumbline generate\n`);
  if (foreign > 0) terminal.out.write(`${foreign} among the generated files are not the generator's; move them away\n`);
  return shown.length === 0 ? 0 : 1;
}

function printed(problems: readonly Problem[], format: PrintOptions["format"], terminal: Terminal): string {
  return print(problems, {
    format,
    color: terminal.out.isTTY && process.env["NO_COLOR"] === undefined,
    frames: terminal.out.isTTY,
    read: (file) => textOf(path.resolve(terminal.folder, file)),
  });
}

/** Of what cannot be read there is nothing to show; of a device there might be no end. */
function textOf(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  return status?.isFile() === true && status.size < largestShown ? readFileSync(file, "utf8") : "";
}

const largestShown = 2 ** 26; // bytes: no larger file is read at all

/** A problem's file as seen from where the command runs. */
function relocated(problem: Problem, folder: string, terminal: Terminal): Problem {
  const file = path.relative(terminal.folder, path.join(folder, problem.origin.file)).split(path.sep).join("/");
  return { ...problem, origin: { ...problem.origin, file } };
}

function located(problem: Problem, read: Read, terminal: Terminal): Problem {
  return relocated(problem, read.folder, terminal);
}

/** A line that says what is going on, replaced by the next; nothing where nobody looks. */
function progressOn(terminal: Terminal, quiet: boolean): (text: string | undefined) => void {
  if (quiet || !terminal.error.isTTY) return () => undefined;
  return (text) => terminal.error.write(`\r\u001b[K${text === undefined ? "" : `${text} …`}`);
}

function misused(terminal: Terminal, message: string): ExitCode {
  terminal.error.write(`${message}\nTry plumbline --help.\n`);
  return 2;
}

function paint(stream: NodeJS.WriteStream, style: "bold", text: string): string {
  return stream.isTTY && process.env["NO_COLOR"] === undefined ? styleText(style, text) : text;
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
