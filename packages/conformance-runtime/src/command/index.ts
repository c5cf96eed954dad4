import { oneLine } from "../report/words.js";
import type { Scenarios } from "../results.js";
import type { Suite } from "../suite.js";
import { clean, cleanOptions } from "./clean.js";
import { engine as ownEngine, type Engine } from "./engine.js";
import { explain } from "./explain.js";
import { helpOf, overview, type CommandName } from "./help.js";
import type { CommandIo } from "./io.js";
import { list, listOptions } from "./list.js";
import { readOptions, type Accepted, type Given } from "./options.js";
import { run, runOptions, type RunParts } from "./run.js";
import { BrokenOffError, UsageError, didYouMean } from "./usage.js";

export type { Engine } from "./engine.js";
export type { CommandIo, Interrupt, Output } from "./io.js";

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
  engine: Engine = ownEngine,
): Promise<number> {
  // The reader of a pipe may close it, as `head` does. The run continues, and its exit code has the result.
  io.stdout.on?.("error", (error) => {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  });
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    io.stdout.write(overview(suite));
    return name === undefined ? 2 : 0;
  }
  if (name === "--version") {
    io.stdout.write(`${suite.command} ${suite.version}\n`);
    return 0;
  }
  try {
    if (!isCommand(name))
      throw new UsageError(`Unknown command ${JSON.stringify(name)}.${didYouMean(name, Object.keys(commands))}`);
    if (rest.includes("--help") || rest.includes("-h")) {
      io.stdout.write(helpOf(name, suite));
      return 0;
    }
    const { accepts, does } = commands[name];
    return await does(suite, readOptions(rest, accepts), { io, engine, scenarios });
  } catch (error) {
    if (error instanceof BrokenOffError) {
      io.stderr.write(`${oneLine(error.message)}\n`);
      return 1;
    }
    if (!(error instanceof UsageError)) throw error;
    const more = isCommand(name) ? `${suite.command} ${name} --help` : `${suite.command} --help`;
    io.stderr.write(`${error.message}\nSee ${more}.\n`);
    return 2;
  }
}

interface Command {
  readonly accepts: Accepted;
  readonly does: (suite: Suite, given: Given, parts: RunParts) => Promise<number> | number;
}

const commands = {
  run: { accepts: { options: runOptions, positionals: [] }, does: run },
  list: {
    accepts: { options: listOptions, positionals: [] },
    does: (suite, given, { io }) => {
      list(suite, given, io);
      return 0;
    },
  },
  explain: {
    accepts: { options: {}, positionals: ["ID"] },
    does: (suite, { positionals }, { io }) => {
      io.stdout.write(explain(suite, positionals[0] ?? ""));
      return 0;
    },
  },
  clean: { accepts: { options: cleanOptions, positionals: [] }, does: clean },
} satisfies Record<CommandName, Command>;

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
