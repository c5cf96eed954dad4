import path from "node:path";
import { flag, oneOf, string, type OptionValues } from "@plumbline/command-line";
import { createPortableDocument } from "@plumbline/kit/codegen/documents";
import { bundleDescription, printYaml } from "@plumbline/kit/openapi";
import type { DescriptionConfig } from "../config/config.js";
import {
  defineCommand,
  descriptionOptions,
  readAllOrThrow,
  type CommandIo,
  type ExitCode,
  type PlumblineCommand,
} from "./command.js";
import { writeAtomically } from "./init/atomic-write.js";

const options = {
  ...descriptionOptions,
  output: { ...string("FILE", "write this file. Default: standard output", "file"), letter: "o" },
  format: oneOf(
    "FORMAT",
    ["json", "yaml"],
    "json or yaml. Default: that of the name of the output; json for standard output",
  ),
  client: string(
    "NAME",
    "the package of the generated client, for samples. Default: that of plumbline.yaml; without one, there is no such sample",
  ),
  withoutExtensions: flag("leave out all extension fields, samples included"),
};

export const bundleCommand: PlumblineCommand = defineCommand({
  text: `Prints the description as one OpenAPI document, for tools that read a single file: overlays are applied, and what other files hold becomes a component. Each JSON body without an example gets one. Each operation gets samples of its request in \`x-codeSamples\`: for curl, for fetch, and for the generated client.`,
  options,
  examples: ["plumbline bundle -o openapi.json", "plumbline bundle openapi.yaml --without-extensions --format yaml"],
  run: bundle,
});

async function bundle(
  {
    output,
    format = /\.ya?ml$/.test(output ?? "") ? "yaml" : "json",
    client,
    withoutExtensions,
    ...described
  }: OptionValues<typeof options>,
  io: CommandIo,
): Promise<ExitCode> {
  const [read] = await readAllOrThrow(described, io);
  if (read === undefined) throw new Error("A configuration has at least one description.");
  const portable = createPortableDocument(read.api, await bundleDescription(read.config), {
    client: client ?? clientPackage(read.config),
    extensions: !withoutExtensions,
  });
  const document = format === "yaml" ? printYaml(portable) : `${JSON.stringify(portable, undefined, 2)}\n`;
  if (output === undefined) io.stdout.write(document);
  else await writeAtomically({ created: [], changed: [{ file: path.resolve(io.folder, output), text: document }] });
  return 0;
}

function clientPackage({ artifacts }: DescriptionConfig): string | undefined {
  return artifacts.find(({ kind }) => kind === "client")?.package;
}
