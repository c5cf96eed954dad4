import path from "node:path";
import type { Generator, GeneratorOptions } from "@plumbline/kit/codegen";
import { withoutAccents, type Api, type Diagnostic, DiagnosticsError, type SourceRef } from "@plumbline/kit/model";
import {
  bundleDescription,
  buildApi,
  loadDescription,
  readSource,
  readTextIfExists,
  type Description,
} from "@plumbline/kit/openapi";
import { sourceFolder } from "@plumbline/kit/openapi/files";
import type { ArtifactConfig, Config, DescriptionConfig } from "../config/config.js";
import type { Incremental } from "../incremental/incremental.js";
import { generateInMemory } from "./generate-in-memory.js";
import { firstLineOf } from "./guarded-call.js";
import { includedApi } from "./included-api.js";
import { includedDocument } from "./included-document.js";
import { loadGenerator } from "./load-generator.js";
import { readOptionValues } from "./option-values.js";

/** A description with its model, for which artifacts are generated. */
export interface GenerationContext {
  readonly config: DescriptionConfig;
  /** All descriptions of the configuration. */
  readonly descriptions: Config["descriptions"];
  readonly description: Description;
  readonly api: Api;
  readonly incremental: Incremental;
}

/** The generator of an artifact, and all that it gets. */
export interface ArtifactInput {
  /** The model of the operations that the artifact includes. */
  readonly api: Api;
  readonly generator: Generator;
  readonly options: GeneratorOptions;
}

/**
 * Loads the generator of an artifact, and reads its inputs.
 *
 * @throws DiagnosticsError for a missing generator, invalid options, invalid inputs, and inputs that need each other.
 */
export async function readArtifactInput(
  artifact: ArtifactConfig,
  context: GenerationContext,
  users: readonly string[] = [],
): Promise<ArtifactInput> {
  const { config, description } = context;
  const api = includedApi(artifact, { api: context.api, folder: description.folder });
  const generator = await loadGenerator(artifact, description.folder);
  const values = await readOptionValues(artifact, generator, { api, folder: description.folder });
  const { locate, sourceOf, folder } = description;
  const start = sourceFolder(folder);
  const input = await generator.read?.(api, {
    config: values,
    description: config.description,
    locate,
    readApi: (file) => readApi(file, context),
    readText: async (file) => (await readSource(file, folder)).text,
    output: {
      folder: path.relative(folder, artifact.out).split(path.sep).join("/"),
      readText: async (file) => readOutput(path.join(artifact.out, ...file.split("/")), folder),
    },
  });
  return {
    api,
    generator,
    options: {
      package: artifact.package ?? `${packageNameFromTitle(api.title)}-${artifact.kind}`,
      private: artifact.private,
      isImportable: artifact.location !== undefined && !artifact.sourcesOnly,
      source: (origin: SourceRef) => {
        const { file, pointer } = sourceOf(origin);
        return `${start}${file}#${pointer}`;
      },
      locate,
      config: values,
      input,
      document: async () => {
        const document = await bundleDescription(config);
        return artifact.include === undefined ? document : includedDocument(document, api);
      },
      artifacts: await readArtifactData(generator, { artifact, context, users: [...users, artifact.kind] }),
      generateFiles: (kind, options) => generateInMemory({ api, locate }, kind, options),
    },
  };
}

/** Reads a file in the folder of an artifact. */
async function readOutput(file: string, folder: string): Promise<string | undefined> {
  return readTextIfExists(file).catch((error: unknown) => {
    const origin = { file: path.relative(folder, file).split(path.sep).join("/"), pointer: "", line: 1, column: 1 };
    const message = `The file cannot be read: ${firstLineOf(error)}`;
    throw new DiagnosticsError([{ code: "description/unreadable", severity: "error", origin, message }]);
  });
}

/** Reads another description with the overlays that plumbline.yaml lists for it. */
async function readApi(file: string, { config, descriptions }: GenerationContext): Promise<Api> {
  const { overlays = [], keywords } = descriptions.find((each) => each.description === file) ?? {};
  return buildApi(await loadDescription(file, overlays, config.boundary), {
    names: {},
    keywords,
    requirements: undefined,
  });
}

interface DataRequest {
  readonly artifact: ArtifactConfig;
  readonly context: GenerationContext;
  /** The artifacts that wait for this one. */
  readonly users: readonly string[];
}

/** Returns the data of the artifacts that a generator uses. */
async function readArtifactData(
  { inputs = [], optionalInputs = [] }: Generator,
  { artifact, context, users }: DataRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const data: [string, unknown][] = [];
  for (const name of inputs) {
    const used = context.config.artifacts.find(({ kind }) => kind === name);
    if (used === undefined || users.includes(name)) throw new DiagnosticsError([unusable(artifact, name, users)]);
    data.push([name, await readData(used, context, users)]);
  }
  for (const name of optionalInputs) {
    const used = context.config.artifacts.find(({ kind }) => kind === name);
    if (used !== undefined && !users.includes(name)) data.push([name, await readData(used, context, users)]);
  }
  return Object.fromEntries(data);
}

/** Returns the data of an artifact; undefined for a generator without data. */
export async function readData(
  artifact: ArtifactConfig,
  context: GenerationContext,
  users: readonly string[] = [],
): Promise<unknown> {
  const { api, generator, options } = await readArtifactInput(artifact, context, users);
  return generator.data?.(api, options);
}

function unusable({ kind, generator }: ArtifactConfig, name: string, users: readonly string[]): Diagnostic {
  const isCircle = users.includes(name);
  return {
    code: "generator/inputs",
    severity: "error",
    origin: generator?.location ?? { file: "plumbline.yaml", pointer: "", line: 1, column: 1 },
    message: isCircle
      ? `The artifacts ${[...users, name].join(", ")} use each other.`
      : `The artifact ${kind} uses the artifact ${name}, which this description does not have.`,
    fix: isCircle ? "Remove one of them from the `inputs` of a generator." : `Add ${name} to \`artifacts\`.`,
  };
}

/** Derives a package name from a title, where plumbline.yaml has none. */
export function packageNameFromTitle(title: string): string {
  const words = withoutAccents(title)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.slice(0, 6).join("-").slice(0, 100) || "api";
}
