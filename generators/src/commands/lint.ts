import path from "node:path";
import { readAll } from "../generate.js";
import {
  UsageError,
  findConfig,
  located,
  outsideHelp,
  outsideOption,
  printed,
  relocated,
  type Command,
  type ExitCode,
  type Given,
  type Terminal,
} from "./command.js";

export const command: Command = {
  options: { spec: "text", [outsideOption]: "flag", overlay: "text", format: "text" },
  positionals: 1,
  help: `plumbline lint [FILE] [--overlay FILE,…] [--format text|json|github]

Reports all problems of the description, each with its position, its cause and a fix.

  FILE           a plumbline.yaml or a description; the same as --spec FILE
    --overlay LIST overlays of the description, separated by commas, applied in this order
  --format       output format: text, json, or github (annotations of a pull request). Default: text
${outsideHelp}

Examples
  plumbline lint
  plumbline lint openapi.yaml --format json
  plumbline lint openapi.yaml --overlay limits.overlay.yaml
`,
  run: lint,
};

async function lint(given: Given, terminal: Terminal): Promise<ExitCode> {
  const format = given.text("format") ?? "text";
  if (format !== "text" && format !== "json" && format !== "github")
    throw new UsageError(`"${format}" is not a valid format. Use text, json or github.`);
  const config = await findConfig(given, terminal);
  const { reads, refused } = await readAll(config);
  const problems = [
    ...refused.flatMap((each) => each.problems.map((problem) => relocated(problem, each.folder, terminal))),
    ...reads.flatMap((read) => read.warnings.map((problem) => located(problem, read, terminal))),
  ];
  if (problems.length > 0 || format === "json") terminal.out.write(printed(problems, format, terminal));
  else
    terminal.out.write(
      `No problems in ${config.descriptions.map((each) => path.relative(terminal.folder, each.description)).join(", ")}.\n`,
    );
  return problems.some((problem) => problem.severity === "error") ? 1 : 0;
}
