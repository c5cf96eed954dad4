import path from "node:path";
import { counted, isBreaking, sentenceOf, type Told } from "../difference-report.js";
import { harmless } from "../report.js";
import { printed, paint, type Terminal } from "./command.js";
import type { Failure } from "./failure.js";
import type { Outcome } from "./watch.js";

/** Reports the events of the watch mode. */
export interface Teller {
  readonly begin: () => void;
  readonly generated: (outcome: Outcome, files: number) => void;
  /** With `pending`, the failure affects only these artifacts. */
  readonly refused: (failure: Failure, pending?: readonly string[]) => void;
  readonly ran: (command: string, exit: number) => void;
}

/** Creates a reporter. On a terminal each run replaces the previous report. With `json` it prints one object per line. */
export function tellerOf(terminal: Terminal, json: boolean): Teller {
  return json ? inLines(terminal) : inWords(terminal);
}

function inLines({ out }: Terminal): Teller {
  const say = (event: string, what: object): void => void out.write(`${JSON.stringify({ event, ...what })}\n`);
  return {
    begin: () => undefined,
    generated: (outcome, files) => say("generated", { ...outcome, watching: files }),
    refused: (failure, pending) => say("refused", { ...failure, ...(pending && { pending }) }),
    ran: (command, exit) => say("ran", { command, exit }),
  };
}

function inWords(terminal: Terminal): Teller {
  const { out, folder } = terminal;
  const isSeen = out.isTTY === true && process.env["TERM"] !== "dumb";
  const say = (line: string): void => void out.write(`${line}\n`);
  // The previous report stays in the scrollback.
  const clear = (): void => void (isSeen && out.write("\u001b[H\u001b[2J"));
  return {
    begin: () => void (isSeen && out.write("generating …\r")),
    generated: ({ written, removed, unchanged, warnings, differences, pending, seconds }, files) => {
      clear();
      if (warnings.length > 0) out.write(printed(warnings, "text", terminal));
      for (const each of shortened(written)) say(`wrote    ${each}`);
      for (const each of shortened(removed)) say(`removed  ${each}`);
      say(`${written.length} files written, ${unchanged} unchanged, ${removed.length} removed in ${seconds} s`);
      if (differences.length > 0) {
        say(`Since the start: ${counted(differences)}`);
        const breaking = differences
          .filter(isBreaking)
          .map((each) => harmless(`  ${placeIn(each)}  ${sentenceOf(each)}`));
        for (const each of shortened(breaking)) say(each);
      }
      if (pending.length > 0) return say(`generating ${pending.join(", ")} …`);
      say(paint(out, "bold", `Watching ${files} files of ${path.basename(folder)}. Press Ctrl-C to stop.`));
    },
    refused: (failure, pending) => {
      clear();
      out.write("problems" in failure ? printed(failure.problems, "text", terminal) : `${failure.message}\n`);
      const kept = `The files${pending === undefined ? "" : ` of ${pending.join(", ")}`}`;
      say(paint(out, "bold", `${kept} stay unchanged until this is fixed. Press Ctrl-C to stop.`));
    },
    ran: (command, exit) => say(`${command}: ${exit === 0 ? "done" : `exit code ${exit}`}`),
  };
}

function placeIn({ origin: { file, line } }: Told): string {
  return `${file}:${line}`;
}

/** Limits a list to the height of a screen: a change of a shared file changes most files. */
function shortened(files: readonly string[]): readonly string[] {
  return files.length <= most ? files : [...files.slice(0, most - 1), `${files.length - most + 1} more`];
}

const most = 12;
