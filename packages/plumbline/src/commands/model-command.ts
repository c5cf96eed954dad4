import {
  allowOutsideHelp,
  allowOutsideOption,
  readAllOrThrow,
  type Command,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./command.js";

export const modelCommand: Command = {
  options: { spec: "file", [allowOutsideOption]: "flag", overlay: "file" },
  positionals: 1,
  argument: "file",
  help: `plumbline model [FILE] [--overlay FILE,…]

Prints the model of the description as JSON: with final names, resolved references, and the position of each node.

  FILE           a plumbline.yaml or a description; the same as --spec FILE. - reads a description from standard input
  --overlay LIST overlays of the description, separated by commas, applied in this order
${allowOutsideHelp}

Examples
  plumbline model | jq '.operations[].name'
  plumbline model openapi.yaml --overlay limits.overlay.yaml
`,
  run: model,
};

async function model(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const [read] = await readAllOrThrow(args, io);
  io.out.write(`${JSON.stringify(read?.api, undefined, 2)}\n`);
  return 0;
}
