import path from "node:path";
import { oneOf } from "@plumbline/command-line";
import type { FormatOptions } from "@plumbline/kit/model";
import { runPipeline } from "../pipeline.js";
import {
  defineCommand,
  descriptionOptions,
  loadConfig,
  locateDiagnostic,
  formatForTerminal,
  relocateDiagnostics,
  type DescriptionValues,
  type ExitCode,
  type CommandIo,
  type PlumblineCommand,
} from "./command.js";

export const lintCommand: PlumblineCommand = defineCommand({
  text: "Reports all problems of the description, each with its position, its cause and a fix.",
  options: {
    ...descriptionOptions,
    format: oneOf(
      "FORMAT",
      ["text", "json", "github"],
      "text, json, or github (annotations of a pull request). Default: text",
    ),
  },
  examples: [
    "plumbline lint",
    "plumbline lint openapi.yaml --format json",
    "plumbline lint openapi.yaml --overlay limits.overlay.yaml",
  ],
  run: lint,
});

async function lint(
  { format = "text", ...described }: DescriptionValues & { readonly format?: FormatOptions["format"] | undefined },
  io: CommandIo,
): Promise<ExitCode> {
  const config = await loadConfig(described, io);
  const { results, rejected } = await runPipeline(config, { lintExamples: true });
  const diagnostics = [
    ...relocateDiagnostics(rejected, io),
    ...results.flatMap((read) => read.warnings.map((diagnostic) => locateDiagnostic(diagnostic, read, io))),
  ];
  if (diagnostics.length > 0 || format === "json") io.stdout.write(formatForTerminal(diagnostics, format, io));
  else
    io.stdout.write(
      `No problems in ${config.descriptions.map((each) => path.relative(io.folder, each.description)).join(", ")}.\n`,
    );
  return diagnostics.some((diagnostic) => diagnostic.severity === "error") ? 1 : 0;
}
