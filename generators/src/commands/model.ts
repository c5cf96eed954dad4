import { readOrRefuse, type Command, type ExitCode, type Given, type Terminal } from "./command.js";

export const command: Command = {
  options: { spec: "text" },
  positionals: 1,
  help: `plumbline model [FILE]

Prints the model of the description as JSON: names settled, references followed, each node with its place.

Examples
  plumbline model | jq '.operations[].name'
`,
  run: model,
};

async function model(given: Given, terminal: Terminal): Promise<ExitCode> {
  const [read] = await readOrRefuse(given, terminal);
  terminal.out.write(`${JSON.stringify(read?.api, undefined, 2)}\n`);
  return 0;
}
