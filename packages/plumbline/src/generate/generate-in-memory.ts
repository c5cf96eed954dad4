import type { ArtifactOptions, GeneratedFile, GenerateFilesOptions, GeneratorOptions } from "@plumbline/kit/codegen";
import type { Api } from "@plumbline/kit/model";
import { loadGenerator } from "./load-generator.js";

/** What files in memory are generated from. */
export interface InMemoryContext extends Pick<ArtifactOptions, "locate"> {
  readonly api: Api;
}

/**
 * Generates the files of a built-in artifact. Nothing is written.
 *
 * @param kind - The name of the artifact.
 * @throws Error for an unknown artifact, and what its generator throws.
 */
export async function generateInMemory(
  context: InMemoryContext,
  kind: string,
  options: GenerateFilesOptions,
): Promise<readonly GeneratedFile[]> {
  const generator = await loadGenerator({ kind, generator: undefined }, "");
  return generator.files(context.api, inMemoryOptions(context, options));
}

/** The options of a generator whose files are not written. */
export function inMemoryOptions(
  context: InMemoryContext,
  { package: name, config = {} }: GenerateFilesOptions,
): GeneratorOptions {
  return {
    package: name,
    private: true,
    source: () => "",
    locate: context.locate,
    config,
    input: undefined,
    document: async () => ({}),
    artifacts: {},
    generateFiles: (kind, options) => generateInMemory(context, kind, options),
  };
}
