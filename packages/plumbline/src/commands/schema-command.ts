import path from "node:path";
import { flag, string, UsageError, type OptionValues } from "@plumbline/command-line";
import type { OptionTable } from "@plumbline/kit/codegen";
import { DiagnosticsError, isDiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import { readSource, SpecNode } from "@plumbline/kit/openapi";
import { artifactKinds, optionalArtifacts, type ArtifactKind } from "../artifact-kinds.js";
import { anyOptions, createConfigSchema } from "../config/config-schema.js";
import { findConfig, isConfigFile } from "../config/config.js";
import { readGeneratorEntries, type GeneratorEntry } from "../config/generator-entries.js";
import { loadGenerator } from "../generate/load-generator.js";
import { defineCommand, type CommandIo, type ExitCode, type PlumblineCommand } from "./command.js";

const options = {
  spec: string(
    "FILE",
    "a plumbline.yaml. Default: the nearest one; without one, the schema has the built-in artifacts only",
    "file",
  ),
  builtIn: flag(
    "ignore plumbline.yaml. Without it, the schema has the names of the custom generators that the file lists",
  ),
};

export const schemaCommand: PlumblineCommand = defineCommand({
  text: "Prints the JSON Schema of plumbline.yaml, for completion and validation in editors. Custom generators may have any options.",
  options,
  examples: [
    "plumbline schema > plumbline.schema.json",
    "echo '# yaml-language-server: $schema=plumbline.schema.json' | cat - plumbline.yaml",
  ],
  run: schema,
});

async function schema({ spec, builtIn: isBuiltIn }: OptionValues<typeof options>, io: CommandIo): Promise<ExitCode> {
  const entries = isBuiltIn ? new Map<string, GeneratorEntry>() : await readGenerators(spec, io);
  const builtIn = await Promise.all(artifactKinds.map(async (kind) => [kind, await builtInOptions(kind)] as const));
  // Their modules would say which options they have, and are code.
  const custom = [...entries.keys()].map((kind) => [kind, anyOptions] as const);
  const artifacts = new Map<string, OptionTable | typeof anyOptions>([...builtIn, ...custom]);
  io.stdout.write(`${JSON.stringify(createConfigSchema({ artifacts, artifactKinds }), undefined, 2)}\n`);
  return 0;
}

/** The options of a built-in artifact. None if it is optional and its package is not installed. */
async function builtInOptions(kind: ArtifactKind): Promise<OptionTable> {
  const generator = await loadGenerator({ kind, generator: undefined }, "").catch((error: unknown) => {
    if (optionalArtifacts.some((each) => each === kind) && isDiagnosticsError(error)) return undefined;
    throw error;
  });
  return generator?.options ?? {};
}

/** Reads the generators of plumbline.yaml. Other parts of the file may have errors: the schema helps to correct these. */
async function readGenerators(
  spec: string | undefined,
  { folder }: CommandIo,
): Promise<ReadonlyMap<string, GeneratorEntry>> {
  if (spec !== undefined && !isConfigFile(spec)) throw new UsageError(`${spec} is not a plumbline.yaml.`);
  const file = spec === undefined ? await findConfig(folder) : path.resolve(folder, spec);
  if (file === undefined) return new Map();
  const diagnostics: Diagnostic[] = [];
  const root = SpecNode.root(await readSource(file, folder), {
    find: () => undefined,
    report: (diagnostic) => diagnostics.push(diagnostic),
  });
  const entries = readGeneratorEntries(root.get("generators"), file, artifactKinds);
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return entries;
}
