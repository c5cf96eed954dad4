import path from "node:path";
import { DiagnosticsError, type Api, type Diagnostic, pickDefined } from "@plumbline/kit/model";
import {
  buildApi,
  lintInBackground,
  loadDescription,
  loadRequirements,
  type Description,
  type LintJob,
  type LintRun,
  type SourceFile,
} from "@plumbline/kit/openapi";
import type { Config, DescriptionConfig } from "./config/config.js";
import { readData, type GenerationContext } from "./generate/artifact-input.js";
import { generateArtifacts, type GeneratedArtifacts } from "./generate/artifacts.js";
import { isStackOverflow } from "./generate/guarded-call.js";
import { includedApi } from "./generate/included-api.js";
import { loadGenerator } from "./generate/load-generator.js";
import { readOptionValues } from "./generate/option-values.js";
import { createIncremental, type Incremental } from "./incremental/incremental.js";

/*
 * A run has six stages. Commands begin with the first, and end where they know enough:
 *
 *   loadConfig        argv, plumbline.yaml → Config                        config/config.ts
 *   loadDescriptions  files, overlays → Description                        @plumbline/kit/openapi
 *   lint              descriptions → diagnostics, on another thread        @plumbline/kit/openapi
 *   buildModels       Description → Api                                    @plumbline/kit/openapi
 *   generateArtifacts Api → texts, formatted                               generate/artifacts.ts
 *   writePackages     texts → files, all or none                           write/writer.ts
 *
 * `runPipeline` takes the stages in the middle. `generation-plan.ts` skips them where no input has changed.
 */

/** The result of one description. */
export interface DescriptionResult extends GeneratedArtifacts {
  readonly config: DescriptionConfig;
  /** Absolute path of the folder of the description. */
  readonly folder: string;
  readonly api: Api;
  /** Returns the line and column of a node of the model. */
  readonly locate: Description["locate"];
  readonly warnings: readonly Diagnostic[];
  /** Returns the data of an artifact; undefined for an artifact that the description does not have. */
  readonly data: (kind: string) => Promise<unknown>;
}

/** The results of all descriptions; `rejected` has those with errors. */
export interface PipelineResult {
  readonly results: readonly DescriptionResult[];
  readonly rejected: readonly {
    readonly config: DescriptionConfig;
    readonly folder: string;
    readonly diagnostics: readonly Diagnostic[];
  }[];
}

export interface PipelineOptions {
  readonly progress?: (text: string) => void;
  /** Generates these artifacts while the linter runs. Empty: all artifacts. Default: none. */
  readonly only?: readonly string[];
  /** Slow artifacts, whose generation is deferred. Their inputs are read with the others. Default: none. */
  readonly deferredKinds?: readonly string[];
  /** Leaves out the artifacts that fail, and lists them as missing. Default: their description is rejected. */
  readonly keepGoing?: boolean;
  /** Validates examples with the minimal ruleset, too. Default: false. */
  readonly lintExamples?: boolean;
  /** Starts the linter. Default: on a thread of its own. */
  readonly startLinting?: (jobs: readonly LintJob[]) => LintRun;
  /** What the previous run has kept, which this run updates. Default: nothing. */
  readonly incremental?: Incremental;
}

/**
 * Loads, lints, builds and generates all descriptions. The first description of a shared file decides its diagnostics: names in the file
 * refer to operations and resources of that description.
 */
export async function runPipeline(
  config: Config,
  { progress, startLinting = lintInBackground, lintExamples, ...options }: PipelineOptions = {},
): Promise<PipelineResult> {
  const linting = startLinting(config.descriptions.map((each) => lintJob(each, { ...config, examples: lintExamples })));
  try {
    const linted = await precedingFiles(config);
    const incremental = options.incremental ?? createIncremental();
    incremental.formatted.begin();
    const results: DescriptionResult[] = [];
    const rejected = createRejections();
    for (const [index, each] of config.descriptions.entries()) {
      progress?.(`reading ${path.basename(each.description)}`);
      try {
        const description = await loadDescription(each.description, each.overlays, each.boundary);
        const checked = Promise.resolve(linting.diagnostics[index]).then((diagnostics = []) =>
          linted.own(description, diagnostics),
        );
        const generated = generate(each, { config, description, checked, options: { ...options, incremental } });
        generated.catch(() => undefined); // diagnostics of the linter go before those of the model
        const warnings = await checked;
        const artifacts = await generated;
        results.push({
          config: each,
          folder: description.folder,
          locate: description.locate,
          ...artifacts,
          warnings: [...warnings, ...description.diagnostics, ...artifacts.generatorWarnings], // the model has added its own
        });
      } catch (error) {
        rejected.add(each, error);
      }
    }
    return { results, rejected: rejected.all };
  } finally {
    await linting.stop();
  }
}

interface GenerateContext {
  readonly config: Config;
  readonly description: Description;
  /** Rejects where the linter reports errors. */
  readonly checked: Promise<unknown>;
  readonly options: PipelineOptions & Pick<GenerationContext, "incremental">;
}

async function generate(
  each: DescriptionConfig,
  {
    config,
    description,
    checked,
    options: { only, deferredKinds = [], keepGoing = false, incremental },
  }: GenerateContext,
): Promise<Pick<DescriptionResult, "api" | "data" | keyof GeneratedArtifacts>> {
  const api = await buildModel(each, description, config);
  const context = { config: each, descriptions: config.descriptions, description, api, incremental };
  if (only === undefined) await checkOptions(each, { api, folder: description.folder });
  const artifacts: GeneratedArtifacts =
    only === undefined
      ? { packages: [], missing: [], generatorWarnings: [], deferred: undefined }
      : await generateArtifacts(context, { only, deferredKinds, keepGoing, linted: checked });
  const data = async (kind: string): Promise<unknown> => {
    const artifact = each.artifacts.find((one) => one.kind === kind);
    return artifact && readData(artifact, context);
  };
  return { api, data, ...artifacts };
}

function lintJob(
  { description, overlays, boundary, requirements, keywords }: DescriptionConfig,
  { ruleset, examples }: Pick<Config, "ruleset"> & { readonly examples: boolean | undefined },
): LintJob {
  const job = { file: description, ruleset, overlays, boundary, keywords };
  return { ...job, ...pickDefined("requirements", requirements), ...pickDefined("examples", examples) };
}

async function buildModel(config: DescriptionConfig, description: Description, { ruleset }: Config): Promise<Api> {
  const requirements =
    config.requirements === undefined ? undefined : await loadRequirements(config.requirements, description.folder);
  const { names, nestedArrays, keywords } = config;
  return buildApi(description, { names, nestedArrays, keywords, requirements, ruleset });
}

/** Checks the options of built-in artifacts. Commands that generate nothing run no code of plumbline.yaml. */
async function checkOptions(
  { artifacts }: DescriptionConfig,
  at: { readonly api: Api; readonly folder: string },
): Promise<void> {
  for (const artifact of artifacts.filter(({ generator }) => generator === undefined))
    await readOptionValues(artifact, await loadGenerator(artifact, at.folder), {
      ...at,
      api: includedApi(artifact, at),
    });
}

interface LintedFiles {
  /** Returns the warnings in files of no earlier description. Throws a DiagnosticsError where they have errors. */
  readonly own: (description: Description, diagnostics: readonly Diagnostic[]) => readonly Diagnostic[];
}

/** Remembers the files whose diagnostics belong to earlier descriptions. */
async function precedingFiles({ precedingDescriptions }: Config): Promise<LintedFiles> {
  const linted = new Set<string>();
  for (const { description, overlays, boundary } of precedingDescriptions)
    for (const file of (await loadDescription(description, overlays, boundary)).files) linted.add(fileIdentity(file));
  return {
    own: ({ files }, diagnostics) => {
      const identities = new Map(files.map((file) => [file.name, fileIdentity(file)] as const));
      const ownDiagnostics = diagnostics.filter(
        ({ origin }) => !linted.has(identities.get(origin.file) ?? origin.file),
      );
      for (const identity of identities.values()) linted.add(identity);
      if (ownDiagnostics.some(({ severity }) => severity === "error")) throw new DiagnosticsError(ownDiagnostics);
      return ownDiagnostics;
    },
  };
}

/** A file is the same for two descriptions where the same overlays change it. */
function fileIdentity({ path: file, overlays }: SourceFile): string {
  return [file, ...(overlays?.by ?? [])].join("\n");
}

interface Rejections {
  readonly all: PipelineResult["rejected"];
  readonly add: (config: DescriptionConfig, error: unknown) => void;
}

/** Collects the diagnostics of rejected descriptions. The model of a later one repeats what the linter reported for a shared file. */
function createRejections(): Rejections {
  const all: PipelineResult["rejected"][number][] = [];
  const reported = new Set<string>();
  return {
    all,
    add: (config, error) => {
      const folder = path.dirname(config.description);
      const diagnostics = error instanceof DiagnosticsError ? error.diagnostics : diagnoseStackOverflow(error, config);
      const placeOf = ({ origin }: Diagnostic): string =>
        `${path.join(folder, origin.file)}:${origin.line}:${origin.column}`;
      all.push({ config, folder, diagnostics: diagnostics.filter((diagnostic) => !reported.has(placeOf(diagnostic))) });
      for (const diagnostic of diagnostics) reported.add(placeOf(diagnostic));
    },
  };
}

/** Turns a stack overflow into a diagnostic: code that follows references recurses as deep as they lead. Throws any other error. */
export function diagnoseStackOverflow(error: unknown, { description }: DescriptionConfig): readonly Diagnostic[] {
  if (!isStackOverflow(error)) throw error;
  const origin = { file: path.basename(description), pointer: "", line: 1, column: 1 };
  const message = "References nest thousands of schemas.";
  const fix = "Reduce the nesting of references.";
  return [{ code: "description/too-deep", severity: "error", origin, message, fix }];
}
