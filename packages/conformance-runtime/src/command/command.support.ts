import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { notes, passed, runOf } from "../report/example.support.js";
import type { RunOptions, RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import type { CleanOptions } from "../clean.js";
import type { Engine } from "./engine.js";
import { runCommand } from "./index.js";
import type { CommandIo } from "./io.js";

/** The output of a command, and its calls of the engine. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  readonly folder: string;
  readonly run: RunOptions | undefined;
  readonly cleaned: CleanOptions | undefined;
}

export interface Surroundings {
  readonly suite?: Suite;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly isTerminal?: boolean;
  readonly left?: readonly string[];
  /** Replaces the engine that sends requests. `interrupt` does what Ctrl-C does. */
  readonly runs?: (options: RunOptions, interrupt: () => void) => Promise<RunReport> | RunReport;
}

/** Runs the command in a temporary folder. Only the requests are replaced. */
export async function command(args: readonly string[], surroundings: Surroundings = {}): Promise<Said> {
  const { suite = notes, env = { CONFORMANCE_TOKEN: "secret-token" }, isTerminal = false, left = [] } = surroundings;
  const folder = surroundings.folder ?? ownFolder();
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
  let cleaned: CleanOptions | undefined;
  const engine: Engine = {
    runSuite: async (_suite, options) => {
      run = options;
      return surroundings.runs === undefined
        ? runOf(options.cases.map(({ id }) => passed(id)))
        : surroundings.runs(options, () => signals.emit("SIGINT"));
    },
    cleanUp: async (_suite, options) => {
      cleaned = options;
      return { found: 2 + left.length, removed: 2, left };
    },
  };
  const code = await runCommand(suite, args, io, {}, engine);
  return { code, out: texts.out, error: texts.error, folder, run, cleaned };
}

export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "conformance-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
