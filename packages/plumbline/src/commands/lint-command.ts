import path from "node:path";
import { runPipeline } from "../pipeline.js";
import {
  UsageError,
  loadConfig,
  locateDiagnostic,
  allowOutsideHelp,
  allowOutsideOption,
  formatForTerminal,
  relocateDiagnostic,
  type Command,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./command.js";

export const lintCommand: Command = {
  options: { spec: "file", [allowOutsideOption]: "flag", overlay: "file", format: ["text", "json", "github"] },
  positionals: 1,
  argument: "file",
  help: `plumbline lint [FILE] [--overlay FILE,…] [--format text|json|github]

Reports all problems of the description, each with its position, its cause and a fix.

  FILE           a plumbline.yaml or a description; the same as --spec FILE. - reads a description from standard input
  --overlay LIST overlays of the description, separated by commas, applied in this order
  --format       output format: text, json, or github (annotations of a pull request). Default: text
${allowOutsideHelp}

Examples
  plumbline lint
  plumbline lint openapi.yaml --format json
  plumbline lint openapi.yaml --overlay limits.overlay.yaml
`,
  run: lint,
};

async function lint(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const format = args.text("format") ?? "text";
  if (format !== "text" && format !== "json" && format !== "github")
    throw new UsageError(`"${format}" is not a valid format. Use text, json or github.`);
  const config = await loadConfig(args, io);
  const { results, rejected } = await runPipeline(config);
  const diagnostics = [
    ...rejected.flatMap((each) =>
      each.diagnostics.map((diagnostic) => relocateDiagnostic(diagnostic, each.folder, io)),
    ),
    ...results.flatMap((read) => read.warnings.map((diagnostic) => locateDiagnostic(diagnostic, read, io))),
  ];
  if (diagnostics.length > 0 || format === "json") io.out.write(formatForTerminal(diagnostics, format, io));
  else
    io.out.write(
      `No problems in ${config.descriptions.map((each) => path.relative(io.folder, each.description)).join(", ")}.\n`,
    );
  return diagnostics.some((diagnostic) => diagnostic.severity === "error") ? 1 : 0;
}
