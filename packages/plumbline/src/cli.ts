import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import {
  UsageError,
  formatForTerminal,
  type Command,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./commands/command.js";
import { toCommandFailure } from "./commands/command-failure.js";
import type { Diagnostic } from "@plumbline/kit/model";

/**
 * Runs `plumbline`.
 *
 * @param args - The arguments after the program's name.
 * @param io - The output streams, and the current folder.
 * @returns The exit code.
 */
export async function main(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    io.out.write(help);
    return name === undefined ? 2 : 0;
  }
  if (name === "--version") {
    io.out.write(`${readVersion()}\n`);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined)
    return reportUsageError(io, `Unknown command "${name}". ${await suggest(name, Object.keys(commands), "commands")}`);
  const command = await load();
  if (rest.includes("--help") || rest.includes("-h")) {
    io.out.write(`${command.help}\n${command.runsCode ?? "Runs no code of the repository."}\n`);
    return 0;
  }
  let given: ParsedArgs;
  try {
    const options: ParseArgsConfig["options"] = Object.fromEntries(
      Object.entries(command.options).map(([option, kind]) => {
        const short = command.short?.[option];
        return [option, { type: kind === "flag" ? "boolean" : "string", ...(short && { short }) }] as const;
      }),
    );
    const { values, positionals } = parseArgs({
      args: rest,
      options,
      allowPositionals: command.positionals > 0,
      strict: true,
    });
    if (positionals.length > command.positionals)
      return reportUsageError(io, `"${positionals.at(-1) ?? ""}" is an unexpected argument.`);
    const text = (option: string): string | undefined =>
      typeof values[option] === "string" ? values[option] : undefined;
    given = { text, flag: (option) => values[option] === true, positionals };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
    if (unknown === undefined) return reportUsageError(io, message);
    const known = Object.keys(command.options).map((each) => `--${each}`);
    return reportUsageError(io, `Unknown option --${unknown}. ${await suggest(`--${unknown}`, known, "options")}`);
  }
  try {
    return await command.run(given, io);
  } catch (error) {
    if (error instanceof UsageError) return reportUsageError(io, error.message);
    const failure = toCommandFailure(error, io.folder);
    if (failure === undefined) throw error;
    if ("diagnostics" in failure) return reportDiagnostics(failure.diagnostics, given, io);
    io.error.write(`${failure.message}\n`);
    return 1;
  }
}

const help = `plumbline generates packages from an OpenAPI description.

Usage: plumbline COMMAND [options]

  init         set up a repository: plumbline.yaml, workspaces and scripts
  generate     lint the description and generate the packages (--check: compare only)
  mock         serve a stateful mock of a description, without writing files
  lint         report all diagnostics of the description
  model        print the model of the description as JSON
  bundle       print the description as one OpenAPI document, with samples, for other tools
  trace        trace each requirement to the description, the code and the tests
  diff         compare two descriptions: what changed, whom it breaks, and which code it concerns
  migrate      bring code that uses an API from one version of its description to the next
  schema       print the JSON Schema of plumbline.yaml, for editors
  completion   print a script that completes commands and options in bash, zsh or fish

  --help       after a command: print its options and examples
  --version    print the version

Without --spec, a command reads spec/plumbline.yaml of this folder or the nearest parent folder.
Exit codes: 0 success, 1 problems in the input or a failed write, 2 wrong usage.
`;

/** The commands. Each module loads on first use. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import("./commands/init-command.js")).initCommand,
  diff: async () => (await import("./commands/diff-command.js")).diffCommand,
  migrate: async () => (await import("./commands/migrate-command.js")).migrateCommand,
  generate: async () => (await import("./commands/generate-command.js")).generateCommand,
  mock: async () => (await import("./commands/mock/mock-command.js")).mockCommand,
  lint: async () => (await import("./commands/lint-command.js")).lintCommand,
  model: async () => (await import("./commands/model-command.js")).modelCommand,
  bundle: async () => (await import("./commands/bundle-command.js")).bundleCommand,
  schema: async () => (await import("./commands/schema-command.js")).schemaCommand,
  trace: async () => (await import("./commands/trace-command.js")).traceCommand,
  completion: async () => (await import("./commands/completion-command.js")).createCompletionCommand(commands),
};

function reportDiagnostics(diagnostics: readonly Diagnostic[], args: ParsedArgs, io: CommandIo): ExitCode {
  if (args.flag("json")) io.out.write(formatForTerminal(diagnostics, "json", io));
  else io.error.write(formatForTerminal(diagnostics, "text", io));
  return 1;
}

function reportUsageError(io: CommandIo, message: string): ExitCode {
  io.error.write(`${message}\nTry plumbline --help.\n`);
  return 2;
}

/** Loads what suggestions need only where something is misspelt. */
async function suggest(wrong: string, known: readonly string[], noun: string): Promise<string> {
  const { didYouMean } = await import("@plumbline/kit/openapi");
  return didYouMean(wrong, known, noun);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
