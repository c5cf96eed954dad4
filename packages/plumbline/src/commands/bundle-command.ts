import path from "node:path";
import { createPortableDocument } from "@plumbline/kit/codegen/documents";
import { bundleDescription, printYaml } from "@plumbline/kit/openapi";
import type { DescriptionConfig } from "../config/config.js";
import {
  allowOutsideHelp,
  allowOutsideOption,
  readAllOrThrow,
  UsageError,
  type Command,
  type CommandIo,
  type ExitCode,
  type ParsedArgs,
} from "./command.js";
import { writeAtomically } from "./init/atomic-write.js";

export const bundleCommand: Command = {
  options: {
    spec: "file",
    overlay: "file",
    [allowOutsideOption]: "flag",
    output: "file",
    format: ["json", "yaml"],
    client: "text",
    "without-extensions": "flag",
  },
  short: { output: "o" },
  positionals: 1,
  argument: "file",
  help: `plumbline bundle [FILE] [-o FILE] [--format yaml|json] [--without-extensions]

Prints the description as one OpenAPI document, for tools that read a single file: overlays are applied, and what other files hold becomes a component.
Each JSON body without an example gets one. Each operation gets samples of its request in \`x-codeSamples\`: for curl, for fetch, and for the generated client.

  FILE           a plumbline.yaml or a description; the same as --spec FILE. - reads a description from standard input
  -o, --output FILE
                 write this file. Default: standard output
  --format FORMAT
                 json or yaml. Default: that of the name of the output; json for standard output
  --client NAME  the package of the generated client, for samples. Default: that of plumbline.yaml; without one, there is no such sample
  --without-extensions
                 leave out all extension fields, samples included
  --overlay LIST overlays of the description, separated by commas, applied in this order
${allowOutsideHelp}

Examples
  plumbline bundle -o openapi.json
  plumbline bundle openapi.yaml --without-extensions --format yaml
`,
  run: bundle,
};

async function bundle(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const output = args.text("output");
  const format = args.text("format") ?? (/\.ya?ml$/.test(output ?? "") ? "yaml" : "json");
  if (format !== "json" && format !== "yaml") throw new UsageError(`--format is json or yaml, not ${format}.`);
  const [read] = await readAllOrThrow(args, io);
  if (read === undefined) throw new Error("A configuration has at least one description.");
  const portable = createPortableDocument(read.api, await bundleDescription(read.config), {
    client: args.text("client") ?? clientPackage(read.config),
    extensions: !args.flag("without-extensions"),
  });
  const text = format === "yaml" ? printYaml(portable) : `${JSON.stringify(portable, undefined, 2)}\n`;
  if (output === undefined) io.out.write(text);
  else await writeAtomically({ created: [], changed: [{ file: path.resolve(io.folder, output), text }] });
  return 0;
}

function clientPackage({ artifacts }: DescriptionConfig): string | undefined {
  return artifacts.find(({ kind }) => kind === "client")?.package;
}
