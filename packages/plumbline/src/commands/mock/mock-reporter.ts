import { escapeControlCharacters } from "@plumbline/model";
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

function createJsonReporter({ out, folder }: CommandIo): MockReporter {
  const say = (event: string, what: object): void => void out.write(`${JSON.stringify({ event, ...what })}\n`);
  return {
    ready: (mock) => say("ready", mock),
    reloaded: (mock) => say("reloaded", mock),
    warned: (warnings) => say("linted", { warnings }),
    handled: ({ milliseconds, ...request }) =>
      say("request", { ...request, milliseconds: Math.round(milliseconds * 10) / 10 }),
    failed: (failure) => say("error", failure),
    broke: (error) => say("error", toCommandFailure(error, folder) ?? { message: String(error) }),
  };
}

function createTextReporter(io: CommandIo): MockReporter {
  const say = (line: string): void => void io.out.write(`${escapeControlCharacters(line)}\n`);
  const describe = ({ title, version, url, operations }: ReadyMock): string =>
    `${title} ${version}: ${url}  (${operations} ${operations === 1 ? "operation" : "operations"})`;
  const fail = (failure: CommandFailure): void => {
    const text = "diagnostics" in failure ? formatForTerminal(failure.diagnostics, "text", io) : `${failure.message}\n`;
    io.error.write(text);
  };
  return {
    ready: (mock) => say(`Mock of ${describe(mock)}`),
    reloaded: (mock) => say(`Reloaded ${describe(mock)}`),
    warned: (count) =>
      say(
        `${count} ${count === 1 ? "warning" : "warnings"} in the description: plumbline lint lists ${count === 1 ? "it" : "them"}`,
      ),
    handled: ({ method, target, status, operation, milliseconds, isExample }) => {
      const parts = [method.padEnd(6), target, String(status), operation ?? "-", `${milliseconds.toFixed(1)} ms`];
      say([...parts, ...(isExample ? ["example"] : [])].join("  "));
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
