import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CleanUpOptions } from "../clean-up.js";
import { exampleSuite, passedResult, exampleReport } from "../report/example-report.support.js";
import type { RunOptions, RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import type { CommandDependencies } from "./dependencies.js";
import { runCommand } from "./index.js";
import type { CommandIo } from "./io.js";

/** The output of a command, and its calls of the engine. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly folder: string;
  readonly run: RunOptions | undefined;
  readonly cleanUpCalls: CleanUpOptions | undefined;
}

export interface CommandEnvironment {
  readonly suite?: Suite;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly isTerminal?: boolean;
  readonly remaining?: readonly string[];
  /** Replaces the engine that sends requests. `interrupt` does what Ctrl-C does. */
  readonly runs?: (options: RunOptions, interrupt: () => void) => Promise<RunReport> | RunReport;
}

/** Runs the command in a temporary folder. Only the requests are replaced. */
export async function runTestCommand(
  args: readonly string[],
  surroundings: CommandEnvironment = {},
): Promise<CommandResult> {
  const {
    suite = exampleSuite,
    env = { CONFORMANCE_TOKEN: "secret-token" },
    isTerminal = false,
    remaining = [],
  } = surroundings;
  const folder = surroundings.folder ?? createTempFolder();
  const texts = { out: "", error: "" };
  const signals = new EventEmitter();
  const output = (name: keyof typeof texts) => ({
    isTTY: isTerminal,
    write: (text: string) => {
      texts[name] += text;
    },
  });
  const io: CommandIo = {
    stdout: output("out"),
    stderr: output("error"),
    env,
    cwd: () => folder,
    once: (signal, listener) => signals.once(signal, listener),
    removeListener: (signal, listener) => signals.removeListener(signal, listener),
  };
  let run: RunOptions | undefined;
  let cleaned: CleanUpOptions | undefined;
  const engine: CommandDependencies = {
    runSuite: async (_suite, options) => {
      run = options;
      return surroundings.runs === undefined
        ? exampleReport(options.cases.map(({ id }) => passedResult(id)))
        : surroundings.runs(options, () => signals.emit("SIGINT"));
    },
    cleanUp: async (_suite, options) => {
      cleaned = options;
      return { found: 2 + remaining.length, removed: 2, remaining };
    },
  };
  const code = await runCommand(suite, args, io, {}, engine);
  return { code, stdout: texts.out, stderr: texts.error, folder, run, cleanUpCalls: cleaned };
}

export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "conformance-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
