import { escapeControlCharacters } from "@plumbline/kit/model";
import type { HandledRequest } from "../../mock/served-mock.js";
import { toCommandFailure, type CommandFailure } from "../command-failure.js";
import { formatForTerminal, type CommandIo } from "../command.js";

/** The mock of one version of a description. */
export interface ReadyMock {
  readonly title: string;
  readonly version: string;
  /** Where the API begins. */
  readonly url: string;
  readonly operations: number;
}

/** Reports the events of a mock. */
export interface MockReporter {
  readonly ready: (mock: ReadyMock) => void;
  readonly reloaded: (mock: ReadyMock) => void;
  /** The linter has found this many warnings. */
  readonly warned: (count: number) => void;
  readonly handled: (request: HandledRequest) => void;
  /** A change of the description has errors: the mock of the previous version goes on. */
  readonly failed: (failure: CommandFailure) => void;
  /** The mock has responded with 500. */
  readonly broke: (error: unknown) => void;
}

/** Creates a reporter. With `json` it prints one object per line. */
export function createMockReporter(io: CommandIo, json: boolean): MockReporter {
  return json ? createJsonReporter(io) : createTextReporter(io);
}

/**
 * Prints the lines of requests together that are handled in one turn of the event loop: each write of a line would wait for the file or the pipe.
 * Other lines are printed at once, after those before them.
 */
function createLineWriter({ stdout }: Pick<CommandIo, "stdout">): {
  readonly print: (line: string) => void;
  readonly printSoon: (line: string) => void;
} {
  let pending = "";
  const flush = (): void => {
    if (pending !== "") stdout.write(pending);
    pending = "";
  };
  return {
    print: (line) => {
      pending += `${line}\n`;
      flush();
    },
    printSoon: (line) => {
      if (pending === "") setImmediate(flush);
      pending += `${line}\n`;
    },
  };
}

function createJsonReporter(io: CommandIo): MockReporter {
  const { folder } = io;
  const { print, printSoon } = createLineWriter(io);
  const format = (event: string, what: object): string => JSON.stringify({ event, ...what });
  const say = (event: string, what: object): void => print(format(event, what));
  return {
    ready: (mock) => say("ready", mock),
    reloaded: (mock) => say("reloaded", mock),
    warned: (warnings) => say("linted", { warnings }),
    handled: ({ milliseconds, ...request }) =>
      printSoon(format("request", { ...request, milliseconds: Math.round(milliseconds * 10) / 10 })),
    failed: (failure) => say("error", failure),
    broke: (error) => say("error", toCommandFailure(error, folder) ?? { message: String(error) }),
  };
}

function createTextReporter(io: CommandIo): MockReporter {
  const { print, printSoon } = createLineWriter(io);
  const say = (line: string): void => print(escapeControlCharacters(line));
  const describe = ({ title, version, url, operations }: ReadyMock): string =>
    `${title} ${version}: ${url}  (${operations} ${operations === 1 ? "operation" : "operations"})`;
  const fail = (failure: CommandFailure): void => {
    const text = "diagnostics" in failure ? formatForTerminal(failure.diagnostics, "text", io) : `${failure.message}\n`;
    io.stderr.write(text);
  };
  return {
    ready: (mock) => say(`Mock of ${describe(mock)}`),
    reloaded: (mock) => say(`Reloaded ${describe(mock)}`),
    warned: (count) =>
      say(
        `${count} ${count === 1 ? "warning" : "warnings"} in the description: plumbline lint lists ${count === 1 ? "it" : "them"}`,
      ),
    handled: ({ method, target, status, operation, milliseconds, isExample, reason }) => {
      const parts = [method.padEnd(6), target, String(status), operation ?? "-", `${milliseconds.toFixed(1)} ms`];
      printSoon(
        escapeControlCharacters(
          [...parts, ...(isExample ? ["example"] : []), ...(reason === undefined ? [] : [reason])].join("  "),
        ),
      );
    },
    failed: fail,
    broke: (error) =>
      fail(
        toCommandFailure(error, io.folder) ?? {
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        },
      ),
  };
}
