import {
  outsideHelp,
  outsideOption,
  readOrRefuse,
  type Command,
  type ExitCode,
  type Given,
  type Terminal,
} from "./command.js";

export const command: Command = {
  options: { spec: "text", [outsideOption]: "flag", overlay: "text" },
  positionals: 1,
  help: `plumbline model [FILE] [--overlay FILE,…]

Prints the model of the description as JSON: with final names, resolved references, and the position of each node.

  FILE           a plumbline.yaml or a description; the same as --spec FILE
    --overlay LIST overlays of the description, separated by commas, applied in this order
${outsideHelp}

Examples
  plumbline model | jq '.operations[].name'
  plumbline model openapi.yaml --overlay limits.overlay.yaml
`,
  run: model,
};

async function model(given: Given, terminal: Terminal): Promise<ExitCode> {
  const [read] = await readOrRefuse(given, terminal);
  terminal.out.write(`${JSON.stringify(read?.api, undefined, 2)}\n`);
  return 0;
}
