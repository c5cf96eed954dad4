import { toCompletedCommand } from "./completed-commands.js";
import { completionFormats, shells } from "./completion.js";
import { formatCommandHelp, type CommandHelp } from "./help.js";
import { oneOf, requiredArgument, type Options, type OptionValues } from "./options.js";
import { parseArguments, type OptionVariables } from "./parse-arguments.js";
import { formatSuggestion } from "./suggestion.js";
import { UsageError } from "./usage-error.js";

/** A command of a program. */
export interface Command<Io> {
  readonly options: Options;
  /** Returns the help. `name` is that of the program and the command. */
  readonly formatHelp: (name: string) => string;
  /**
   * Runs the command, and returns the exit code.
   *
   * @throws UsageError for invalid arguments.
   */
  readonly execute: (args: readonly string[], io: Io) => Promise<number>;
}

export interface CommandDefinition<Table extends Options, Io> extends CommandHelp {
  readonly options: Table;
  /** The variables that set options. Default: none. */
  readonly variables?: (io: Io) => OptionVariables;
  readonly run: (values: OptionValues<Table>, io: Io) => Promise<number> | number;
}

/** Defines a command, whose `run` receives the values of its options. */
export function defineCommand<Table extends Options, Io>(definition: CommandDefinition<Table, Io>): Command<Io> {
  const { options, variables, run } = definition;
  return {
    options,
    formatHelp: (name) => formatCommandHelp(name, options, definition),
    execute: async (args, io) => run(parseArguments(options, args, variables?.(io)), io),
  };
}

/** A program with commands. */
export interface Program<Io> {
  readonly name: string;
  /** The line that `--version` prints. */
  readonly version: () => string;
  readonly overview: string;
  /** The commands, which load on first use. `completion` is added to them. */
  readonly commands: Readonly<Record<string, () => Command<Io> | Promise<Command<Io>>>>;
  /** The command of a line that begins with an option. */
  readonly defaultCommand?: string;
}

/** The output streams of a program. Node's `process` has them. */
export interface ProgramIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/**
 * Runs a program.
 *
 * @param args The arguments after the program's name.
 * @returns The exit code; 2 for wrong usage.
 */
export async function runProgram<Io extends ProgramIo>(
  program: Program<Io>,
  args: readonly string[],
  io: Io,
): Promise<number> {
  const [first, ...others] = args;
  if (first === "--version") {
    io.stdout.write(`${program.version()}\n`);
    return 0;
  }
  const isHelp = first !== undefined && ["help", "--help", "-h"].includes(first);
  const isDefault = program.defaultCommand !== undefined && !isHelp && (first === undefined || first.startsWith("-"));
  if (isHelp || (first === undefined && !isDefault)) {
    io.stdout.write(program.overview);
    return isHelp ? 0 : 2;
  }
  const [name = "", rest] = isDefault ? [program.defaultCommand, args] : [first, others];
  const commands: Program<Io>["commands"] = { ...program.commands, completion: () => completionCommand(program) };
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (load === undefined)
      throw new UsageError(
        `Unknown command ${JSON.stringify(name)}.${formatSuggestion(name, Object.keys(commands), "commands")}`,
      );
    const command = await load();
    if (!rest.includes("--help") && !rest.includes("-h")) return await command.execute(rest, io);
    io.stdout.write(command.formatHelp(`${program.name} ${name}`));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const help = [program.name, ...(load === undefined || isDefault ? [] : [name]), "--help"].join(" ");
    io.stderr.write(`${error.message}\nSee ${help}.\n`);
    return 2;
  }
}

function completionCommand<Io extends ProgramIo>(program: Program<Io>): Command<Io> {
  const { name, commands } = program;
  const options = { shell: requiredArgument(oneOf("SHELL", shells, `one of ${shells.join(", ")}`)) };
  return defineCommand({
    text: "Prints a script that completes commands, options and their values.",
    options,
    examples: [
      `${name} completion zsh > ~/.zfunc/_${name}`,
      `${name} completion fish > ~/.config/fish/completions/${name}.fish`,
      `source <(${name} completion bash)`,
    ],
    run: async ({ shell }, { stdout }: Io) => {
      const completed = Object.entries(commands).map(
        async ([each, load]) => [each, toCompletedCommand((await load()).options)] as const,
      );
      const all = { ...Object.fromEntries(await Promise.all(completed)), completion: toCompletedCommand(options) };
      stdout.write(completionFormats[shell]({ program: name, commands: all }));
      return 0;
    },
  });
}
