import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError, printed, type Command, type ExitCode, type Given, type Terminal } from "./commands/command.js";
import { failureOf } from "./commands/failure.js";
import type { Problem } from "./problem.js";

/**
 * Runs `plumbline`.
 *
 * @param args - The arguments after the program's name.
 * @param terminal - The output streams, and the current folder.
 * @returns The exit code.
 */
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
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) return misused(terminal, `Unknown command "${name}".`);
  const command = await load();
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out.write(command.help);
    return 0;
  }
  let given: Given;
  try {
    const options: ParseArgsConfig["options"] = Object.fromEntries(
      Object.entries(command.options).map(
        ([option, kind]) => [option, { type: kind === "flag" ? "boolean" : "string" }] as const,
      ),
    );
    const { values, positionals } = parseArgs({
      args: rest,
      options,
      allowPositionals: command.positionals > 0,
      strict: true,
    });
    if (positionals.length > command.positionals)
      return misused(terminal, `"${positionals.at(-1) ?? ""}" is an unexpected argument.`);
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
    const failure = failureOf(error, terminal.folder);
    if (failure === undefined) throw error;
    if ("problems" in failure) return reportProblems(failure.problems, given, terminal);
    terminal.error.write(`${failure.message}\n`);
    return 1;
  }
}

const help = `plumbline generates packages from an OpenAPI description.

Usage: plumbline COMMAND [options]

  init       set up a repository: plumbline.yaml, workspaces and scripts
  generate   lint the description and generate the packages (--check: compare only)
  lint       report all problems of the description
  model      print the model of the description as JSON
  trace      trace each requirement to the description, the code and the tests
  diff       compare two descriptions: what changed, and whom it breaks

  --help     after a command: print its options and examples
  --version  print the version

Without --spec, a command reads spec/plumbline.yaml of this folder or the nearest parent folder.
Exit codes: 0 success, 1 problems in the input or a failed write, 2 wrong usage.
`;

/** The commands. Each module loads on first use. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import("./commands/init.js")).command,
  diff: async () => (await import("./commands/diff.js")).command,
  generate: async () => (await import("./commands/generate.js")).command,
  lint: async () => (await import("./commands/lint.js")).command,
  model: async () => (await import("./commands/model.js")).command,
  trace: async () => (await import("./commands/trace.js")).command,
};

function reportProblems(problems: readonly Problem[], given: Given, terminal: Terminal): ExitCode {
  if (given.flag("json")) terminal.out.write(printed(problems, "json", terminal));
  else terminal.error.write(printed(problems, "text", terminal));
  return 1;
}

function misused(terminal: Terminal, message: string): ExitCode {
  terminal.error.write(`${message}\nTry plumbline --help.\n`);
  return 2;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
