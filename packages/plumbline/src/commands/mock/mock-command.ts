import { decimal, flag, integer, string, UsageError, type OptionValues } from "@plumbline/command-line";
import { defineCommand, descriptionOptions, type CommandIo, type ExitCode, type PlumblineCommand } from "../command.js";

const options = {
  ...descriptionOptions,
  port: integer("N", { least: 0, most: 65_535 }, "the port; 0 for a free one. Default: 4010"),
  host: string("ADDRESS", "the address to listen at. Default: 127.0.0.1, which other machines cannot reach"),
  pace: decimal(
    "N",
    { least: 0, most: 1e9 },
    "divides the durations of transient states: 60 turns minutes into seconds, 0 ends them before the next request. Default: 60",
  ),
  seed: integer(
    "N",
    { least: 0, most: 2 ** 31 },
    "an integer that determines generated values, such as tokens. Default: 1",
  ),
  data: string(
    "FILE",
    "YAML or JSON with objects that exist from the start, by resource: {Pet: [{name: Rex}]}",
    "file",
  ),
  watch: flag("load the description again after each change. Objects that fit the new schemas stay"),
  controls: flag(
    "serve controls for tests below /_mock: reset, snapshots, the clock, faults, users and objects. Requires a loopback host",
  ),
  json: flag("print each event as one JSON object on one line"),
};

export const mockCommand: PlumblineCommand = defineCommand({
  text: "Serves a stateful mock of the description until Ctrl-C: what clients create can be read, listed, changed and deleted. It writes no files. Of a plumbline.yaml, the first description counts.",
  options,
  examples: [
    "plumbline mock openapi.yaml",
    "plumbline mock openapi.yaml --port 8080 --watch",
    "plumbline mock openapi.yaml --data pets.yaml --pace 0",
    "curl https://api.example/openapi.json | plumbline mock -",
  ],
  run: mock,
});

async function mock(values: OptionValues<typeof options>, io: CommandIo): Promise<ExitCode> {
  const { spec, file, watch, controls, host = "127.0.0.1", port = 4010, pace = 60, seed = 1 } = values;
  if (watch && (spec ?? file) === "-") throw new UsageError("--watch requires a file: standard input does not change.");
  if (controls && !isLoopback(host))
    throw new UsageError(
      `--controls requires no token, so it requires a loopback --host such as 127.0.0.1, not "${host}".`,
    );
  return (await import("./serve-mock.js")).serveMock({ ...values, host, port, pace, seed }, io);
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}
