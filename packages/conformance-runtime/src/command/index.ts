import { runProgram } from "@plumbline/command-line";
import { escapeToOneLine } from "../report/format-text.js";
import type { Scenarios } from "../results.js";
import type { Suite } from "../suite.js";
import { createCleanCommand } from "./clean.js";
import { commandDependencies, type CommandDependencies } from "./dependencies.js";
import { RunAbortedError } from "./errors.js";
import { createExplainCommand } from "./explain.js";
import type { CommandIo } from "./io.js";
import { createListCommand } from "./list.js";
import { createRunCommand } from "./run.js";

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
  const commands = {
    run: () => createRunCommand(suite, { dependencies, scenarios }),
    list: () => createListCommand(suite),
    explain: () => createExplainCommand(suite),
    clean: () => createCleanCommand(suite, dependencies),
  };
  const { command: name, version } = suite;
  try {
    return await runProgram(
      { name, version: () => `${name} ${version}`, overview: formatOverview(suite), commands },
      argv,
      io,
    );
  } catch (error) {
    if (!(error instanceof RunAbortedError)) throw error;
    io.stderr.write(`${escapeToOneLine(error.message)}\n`);
    return 1;
  }
}

function formatOverview({ command, title, version }: Suite): string {
  return `${command}: checks a server against the description of ${title} ${version}.

Usage: ${command} COMMAND [options]

  run         runs the cases against a server and reports the results
  list        prints the ids of all cases, or all requirements
  explain     prints the steps of a case, or the cases of a requirement
  clean       deletes what an interrupted run has left on the server
  completion  prints a script that completes commands and options in bash, zsh or fish

  --help      after a command: its options, with examples
  --version   the version of the suite

Exit codes: 0 passed, 1 failed, 2 invalid usage, 130 interrupted.
`;
}
