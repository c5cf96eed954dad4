import { escapeToOneLine } from "../report/format-text.js";
import type { Scenarios } from "../results.js";
import type { Suite } from "../suite.js";
import { runCleanCommand, cleanCommandOptions } from "./clean.js";
import { formatSuiteCompletion } from "./completion.js";
import { commandDependencies, type CommandDependencies } from "./dependencies.js";
import { runExplainCommand } from "./explain.js";
import { formatCommandHelp, formatOverview, type CommandName } from "./help.js";
import type { CommandIo } from "./io.js";
import { runListCommand, listCommandOptions } from "./list.js";
import { parseOptions, type AcceptedArguments, type ParsedOptions } from "./options.js";
import { executeRunCommand, runCommandOptions, type RunCommandContext } from "./run.js";
import { RunAbortedError, UsageError } from "./errors.js";
import { formatSuggestion } from "./edit-distance.js";

export type { CommandDependencies } from "./dependencies.js";
export type { CommandIo, InterruptSignal, OutputStream } from "./io.js";

/**
 * Runs the command of a suite, such as `cloud-compute-conformance run --url …`.
 *
 * @param argv The arguments after the command's name.
 * @param io Node's `process`, or a replacement.
 * @param scenarios The functions that `code` steps name.
 * @returns The exit code: 0 passed, 1 failed, 2 invalid usage, 130 interrupted.
 */
export async function runCommand(
  suite: Suite,
  argv: readonly string[],
  io: CommandIo,
  scenarios: Scenarios = {},
  dependencies: CommandDependencies = commandDependencies,
): Promise<number> {
  // The reader of a pipe may close it, as `head` does. The run continues, and its exit code has the result.
  io.stdout.on?.("error", (error) => {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  });
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    io.stdout.write(formatOverview(suite));
    return name === undefined ? 2 : 0;
  }
  if (name === "--version") {
    io.stdout.write(`${suite.command} ${suite.version}\n`);
    return 0;
  }
  try {
    if (!isCommand(name))
      throw new UsageError(`Unknown command ${JSON.stringify(name)}.${formatSuggestion(name, Object.keys(commands))}`);
    if (rest.includes("--help") || rest.includes("-h")) {
      io.stdout.write(formatCommandHelp(name, suite));
      return 0;
    }
    const { accepts, execute } = commands[name];
    return await execute(suite, parseOptions(rest, accepts), { io, dependencies, scenarios });
  } catch (error) {
    if (error instanceof RunAbortedError) {
      io.stderr.write(`${escapeToOneLine(error.message)}\n`);
      return 1;
    }
    if (!(error instanceof UsageError)) throw error;
    const more = isCommand(name) ? `${suite.command} ${name} --help` : `${suite.command} --help`;
    io.stderr.write(`${error.message}\nSee ${more}.\n`);
    return 2;
  }
}

interface CommandEntry {
  readonly accepts: AcceptedArguments;
  readonly execute: (suite: Suite, options: ParsedOptions, parts: RunCommandContext) => Promise<number> | number;
}

const commands: Readonly<Record<CommandName, CommandEntry>> = {
  run: { accepts: { options: runCommandOptions, positionals: [] }, execute: executeRunCommand },
  list: {
    accepts: { options: listCommandOptions, positionals: [] },
    execute: (suite, options, { io }) => {
      runListCommand(suite, options, io);
      return 0;
    },
  },
  explain: {
    accepts: { options: {}, positionals: ["ID"] },
    execute: (suite, { positionals }, { io }) => {
      io.stdout.write(runExplainCommand(suite, positionals[0] ?? ""));
      return 0;
    },
  },
  clean: { accepts: { options: cleanCommandOptions, positionals: [] }, execute: runCleanCommand },
  completion: {
    accepts: { options: {}, positionals: ["SHELL"] },
    execute: (suite, { positionals }, { io }) => {
      const accepts = Object.entries(commands).map(([name, entry]) => [name, entry.accepts] as const);
      io.stdout.write(formatSuiteCompletion(suite, Object.fromEntries(accepts), positionals[0]));
      return 0;
    },
  },
};

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
