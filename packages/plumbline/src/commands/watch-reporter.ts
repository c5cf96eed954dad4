import path from "node:path";
import { formatCounts, isBreaking, formatSentence, type ReportedDifference } from "@plumbline/kit/diff";
import { escapeControlCharacters, type Diagnostic } from "@plumbline/kit/model";
import type { CommandFailure } from "./command-failure.js";
import { formatForTerminal, applyStyle, type CommandIo } from "./command.js";

/** The result of one run. Paths are relative to the current folder. */
export interface WatchOutcome {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  readonly warnings: readonly Diagnostic[];
  /** The differences since the start of the command. */
  readonly differences: readonly ReportedDifference[];
  /** Artifacts that are still being generated. The next outcome covers the complete run. */
  readonly pending: readonly string[];
  readonly seconds: number;
}

/** Reports the events of the watch mode. */
export interface WatchReporter {
  readonly begin: () => void;
  /** Files were saved, but no input has changed. */
  readonly unchanged: () => void;
  readonly generated: (outcome: WatchOutcome, files: number) => void;
  /** With `pending`, the failure affects only these artifacts. */
  readonly failed: (error: CommandFailure, pending?: readonly string[]) => void;
  readonly ran: (command: string, exit: number) => void;
}

/** Creates a reporter. On a terminal each run replaces the previous report. With `json` it prints one object per line. */
export function createWatchReporter(io: CommandIo, json: boolean): WatchReporter {
  return json ? createJsonReporter(io) : createTextReporter(io);
}

function createJsonReporter({ stdout }: CommandIo): WatchReporter {
  const say = (event: string, what: object): void => void stdout.write(`${JSON.stringify({ event, ...what })}\n`);
  return {
    begin: () => undefined,
    unchanged: () => say("unchanged", {}),
    generated: (outcome, files) => say("generated", { ...outcome, watching: files }),
    failed: (error, pending) => say("error", { ...error, ...(pending && { pending }) }),
    ran: (command, exit) => say("ran", { command, exit }),
  };
}

function createTextReporter(io: CommandIo): WatchReporter {
  const { stdout, folder } = io;
  const isSeen = stdout.isTTY === true && process.env["TERM"] !== "dumb";
  const say = (line: string): void => void stdout.write(`${line}\n`);
  // The previous report stays in the scrollback.
  const clear = (): void => void (isSeen && stdout.write("\u001b[H\u001b[2J"));
  return {
    begin: () => void (isSeen && stdout.write("generating …\r")),
    unchanged: () => undefined,
    generated: ({ written, removed, unchanged, warnings, differences, pending, seconds }, files) => {
      clear();
      if (warnings.length > 0) stdout.write(formatForTerminal(warnings, "text", io));
      for (const each of shortened(written)) say(`wrote    ${each}`);
      for (const each of shortened(removed)) say(`removed  ${each}`);
      say(`${written.length} files written, ${unchanged} unchanged, ${removed.length} removed in ${seconds} s`);
      if (differences.length > 0) {
        say(`Since the start: ${formatCounts(differences)}`);
        const breaking = differences
          .filter(isBreaking)
          .map((each) => escapeControlCharacters(`  ${formatPosition(each)}  ${formatSentence(each)}`));
        for (const each of shortened(breaking)) say(each);
      }
      if (pending.length > 0) return say(`generating ${pending.join(", ")} …`);
      say(applyStyle(stdout, "bold", `Watching ${files} files of ${path.basename(folder)}. Press Ctrl-C to stop.`));
    },
    failed: (error, pending) => {
      clear();
      stdout.write("diagnostics" in error ? formatForTerminal(error.diagnostics, "text", io) : `${error.message}\n`);
      const kept = `The files${pending === undefined ? "" : ` of ${pending.join(", ")}`}`;
      say(applyStyle(stdout, "bold", `${kept} stay unchanged until this is fixed. Press Ctrl-C to stop.`));
    },
    ran: (command, exit) => say(`${command}: ${exit === 0 ? "done" : `exit code ${exit}`}`),
  };
}

function formatPosition({ origin: { file, line } }: ReportedDifference): string {
  return `${file}:${line}`;
}

/** Limits a list to the height of a screen: a change of a shared file changes most files. */
function shortened(files: readonly string[]): readonly string[] {
  return files.length <= maxListedFiles
    ? files
    : [...files.slice(0, maxListedFiles - 1), `${files.length - maxListedFiles + 1} more`];
}

const maxListedFiles = 12;
