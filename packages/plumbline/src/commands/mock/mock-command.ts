import {
  UsageError,
  allowOutsideHelp,
  allowOutsideOption,
  type Command,
  type CommandIo,
  type ExitCode,
  type ParsedArgs,
} from "../command.js";
import type { MockCommandOptions } from "./load-mock.js";

export const mockCommand: Command = {
  options: {
    spec: "file",
    [allowOutsideOption]: "flag",
    overlay: "file",
    port: "text",
    host: "text",
    pace: "text",
    seed: "text",
    data: "file",
    watch: "flag",
    controls: "flag",
    json: "flag",
  },
  positionals: 1,
  argument: "file",
  help: `plumbline mock [FILE] [--port 4010] [--host 127.0.0.1] [--pace 60] [--seed 1] [--data FILE] [--watch] [--controls] [--json]

Serves a stateful mock of the description until Ctrl-C: what clients create can be read, listed, changed and deleted. It writes no files.

  FILE           a description, or a plumbline.yaml, whose first description counts; the same as --spec FILE. - reads a description
                 from standard input
  --overlay LIST overlays of the description, separated by commas, applied in this order
  --port         the port; 0 for a free one. Default: 4010
  --host         the address to listen at. Default: 127.0.0.1, which other machines cannot reach
  --pace         divides the durations of transient states: 60 turns minutes into seconds, 0 ends them before the next request.
                 Default: 60
  --seed         an integer that determines generated values, such as tokens. Default: 1
  --data FILE    YAML or JSON with objects that exist from the start, by resource: {Pet: [{name: Rex}]}
  --watch        load the description again after each change. Objects that fit the new schemas stay
  --controls     serve controls for tests below /_mock: reset, snapshots, the clock, faults, users and objects. Requires a loopback host
  --json         print each event as one JSON object on one line
${allowOutsideHelp}

Examples
  plumbline mock openapi.yaml
  plumbline mock openapi.yaml --port 8080 --watch
  plumbline mock openapi.yaml --data pets.yaml --pace 0
  curl https://api.example/openapi.json | plumbline mock -
`,
  run: mock,
};

async function mock(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const options: MockCommandOptions = {
    host: args.text("host") ?? "127.0.0.1",
    port: readNumber(args, "port", { standard: 4010, most: 65_535, isInteger: true }),
    pace: readNumber(args, "pace", { standard: 60, most: 1e9, isInteger: false }),
    seed: readNumber(args, "seed", { standard: 1, most: 2 ** 31, isInteger: true }),
  };
  if (args.flag("watch") && (args.text("spec") ?? args.positionals[0]) === "-")
    throw new UsageError("--watch requires a file: standard input does not change.");
  if (args.flag("controls") && !isLoopback(options.host))
    throw new UsageError(
      `--controls requires no token, so it requires a loopback --host such as 127.0.0.1, not "${options.host}".`,
    );
  return (await import("./serve-mock.js")).serveMock(args, io, options);
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}

function readNumber(
  args: ParsedArgs,
  option: string,
  { standard, most, isInteger }: { readonly standard: number; readonly most: number; readonly isInteger: boolean },
): number {
  const text = args.text(option);
  if (text === undefined) return standard;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most && (!isInteger || Number.isInteger(value))) return value;
  throw new UsageError(`--${option} is ${isInteger ? "an integer" : "a number"} from 0 to ${most}, not "${text}".`);
}
