import path from "node:path";
import { availableParallelism } from "node:os";
import type { Case } from "@plumbline/conformance-runtime";
import { artifactGenerators } from "./artifact-generators.js";
import { renderAssumptionsPage } from "./assumptions-page.js";
import type { ArtifactConfig, Config, DescriptionConfig } from "./config.js";
import type { ConformanceInput } from "./conformance/settings.js";
import { generateCases } from "./conformance/index.js";
import { conformanceContextOf } from "./conformance/context.js";
import { coverageDiagnostics } from "./conformance/coverage.js";
import { emptySettings } from "./conformance/settings.js";
import { readConformanceSettings } from "./conformance-settings.js";
import type { GeneratedFile, GeneratedPackage, TextFile } from "./emit/files.js";
import { formatFile } from "./emit/format-file.js";
import { runGenerator, type ArtifactOptions, type ArtifactGenerator } from "./generator.js";
import type { Api } from "./model/api.js";
import { buildApi } from "./model/build.js";
import { withoutAccents } from "./model/names.js";
import { shareStructure } from "./model/structural-sharing.js";
import { loadRequirements } from "./model/sources.js";
import { noCache, type Cache } from "./cache.js";
import { createIncrementalState, type IncrementalState } from "./incremental-state.js";
import { generateWithCache } from "./artifact-cache.js";
import { runCustomGenerator } from "./custom-generators.js";
import { DiagnosticsError, type SourceRef, type Diagnostic } from "./diagnostic.js";
import { readWorkflows } from "./read-workflows.js";
import { lintInBackground, type LintJob, type LintRun } from "./spec/lint-worker-pool.js";
import { loadDescription, type Description } from "./spec/load.js";
import type { SourceFile } from "./spec/spec-node.js";

/** The result of one description. */
export interface DescriptionResult {
  readonly config: DescriptionConfig;
  /** Absolute path of the folder of the description. */
  readonly folder: string;
  readonly api: Api;
  /** Returns the line and column of a node of the model. */
  readonly locate: Description["locate"];
  readonly warnings: readonly Diagnostic[];
  /** The packages to write; empty where `only` is undefined. */
  readonly packages: readonly GeneratedPackage[];
  /** Generates the deferred packages; undefined where there are none. Throws a DiagnosticsError. */
  readonly deferred: (() => Promise<readonly GeneratedPackage[]>) | undefined;
  /** Generates the cases of the conformance suite; undefined where there is no suite. */
  readonly suite: (() => Promise<SuiteOutline>) | undefined;
}

export interface SuiteOutline {
  readonly cases: readonly Case[];
  /** The reasons why requirements have no case, by id. */
  readonly untested: Readonly<Record<string, string>>;
}

/** The results of all descriptions; `rejected` has those with errors. */
export interface PipelineResult {
  readonly results: readonly DescriptionResult[];
  readonly rejected: readonly { readonly folder: string; readonly diagnostics: readonly Diagnostic[] }[];
}

export interface PipelineOptions {
  readonly progress?: (text: string) => void;
  /** Generates packages of these artifacts while the linter runs. Empty: of all artifacts. Default: of none. */
  readonly only?: readonly string[];
  /** Slow artifacts, whose generation is deferred. Their inputs are read with the others. */
  readonly deferredKinds?: readonly string[];
  readonly startLinting?: (jobs: readonly LintJob[]) => LintRun;
  /** Caches generated files by model. Default: no cache. */
  readonly cache?: Cache;
  /** The state of the previous run, which this run updates. Default: empty. */
  readonly incremental?: IncrementalState;
}

/**
 * Reads, lints and generates all descriptions. The first description of a shared file decides its diagnostics: names in the file refer to
 * operations and resources of that description.
 */
export async function readDescriptions(
  config: Config,
  {
    progress,
    only,
    deferredKinds = [],
    startLinting = lintInBackground,
    cache = noCache,
    incremental = createIncrementalState(),
  }: PipelineOptions = {},
): Promise<PipelineResult> {
  const lintedFiles = new Set<string>();
  const reported = new Set<string>();
  const linting = startLinting(
    config.descriptions.map(({ description, overlays, boundary, requirements }) => ({
      file: description,
      ruleset: config.ruleset,
      overlays,
      boundary,
      ...(requirements === undefined ? {} : { requirements }),
    })),
  );
  try {
    for (const { description, overlays, boundary } of config.precedingDescriptions)
      for (const file of (await loadDescription(description, overlays, boundary)).files)
        lintedFiles.add(fileIdentity(file));
    const reads: DescriptionResult[] = [];
    const rejected: PipelineResult["rejected"][number][] = [];
    for (const [index, each] of config.descriptions.entries()) {
      progress?.(`reading ${path.basename(each.description)}`);
      try {
        reads.push(
          await readDescription(each, {
            lintedFiles,
            only,
            deferredKinds,
            cache,
            incremental,
            diagnostics: linting.diagnostics[index] ?? Promise.resolve([]),
          }),
        );
      } catch (error) {
        const diagnostics = error instanceof DiagnosticsError ? error.diagnostics : diagnoseStackOverflow(error, each);
        const folder = path.dirname(each.description);
        // The model of a later description repeats what the linter reported for a shared file.
        const placeOf = ({ origin }: Diagnostic): string =>
          `${path.join(folder, origin.file)}:${origin.line}:${origin.column}`;
        rejected.push({ folder, diagnostics: diagnostics.filter((diagnostic) => !reported.has(placeOf(diagnostic))) });
        for (const diagnostic of diagnostics) reported.add(placeOf(diagnostic));
      }
    }
    return { results: reads, rejected };
  } finally {
    await linting.stop();
  }
}

interface DescriptionContext {
  /** Files with diagnostics of an earlier description; this one adds its own. */
  readonly lintedFiles: Set<string>;
  readonly only: readonly string[] | undefined;
  readonly deferredKinds: readonly string[];
  readonly cache: Cache;
  readonly incremental: IncrementalState;
  readonly diagnostics: Promise<readonly Diagnostic[]>;
}

type BuildOptions = Omit<DescriptionContext, "lintedFiles" | "diagnostics">;

/** Loads one description and generates its packages while the linter runs. Throws a DiagnosticsError with all of its diagnostics. */
async function readDescription(
  config: DescriptionConfig,
  { lintedFiles, diagnostics, ...making }: DescriptionContext,
): Promise<DescriptionResult> {
  const description = await loadDescription(config.description, config.overlays, config.boundary);
  const { folder } = description;
  const identities = new Map(description.files.map((file) => [file.name, fileIdentity(file)] as const));
  const made = buildModel(config, description, making);
  made.catch(() => undefined); // diagnostics of the linter go before those of the model
  const found = (await diagnostics).filter(
    ({ origin }) => !lintedFiles.has(identities.get(origin.file) ?? origin.file),
  );
  for (const known of identities.values()) lintedFiles.add(known);
  const warnings = found.filter((diagnostic) => diagnostic.severity === "warning");
  if (warnings.length < found.length) throw new DiagnosticsError(found);
  return { config, folder, locate: description.locate, warnings, ...(await made) };
}

/** A file is the same for two descriptions where the same overlays change it. */
function fileIdentity({ path: file, overlays }: SourceFile): string {
  return [file, ...(overlays?.by ?? [])].join("\n");
}

async function buildModel(
  config: DescriptionConfig,
  description: Description,
  { only, deferredKinds, cache, incremental }: BuildOptions,
): Promise<Pick<DescriptionResult, "api" | "packages" | "deferred" | "suite">> {
  const traced =
    config.requirements === undefined ? undefined : await loadRequirements(config.requirements, description.folder);
  const before = incremental.models.get(config.description);
  const api = buildApi(description, { names: config.names, requirements: traced, previous: before });
  incremental.models.set(config.description, api);
  const planned: Pick<DescriptionResult, "packages" | "deferred"> =
    only === undefined
      ? { packages: [], deferred: undefined }
      : await planPackages({ config, description, api, incremental }, { only, deferredKinds, cache });
  const artifact = config.artifacts.find(({ kind }) => kind === "conformance");
  const suite = async (each: ArtifactConfig): Promise<SuiteOutline> => {
    const options = await readArtifactOptions(each, { config, description, api, incremental });
    return { cases: generateCases(api, options), untested: options.conformance?.settings.untested ?? {} };
  };
  return { api, ...planned, suite: artifact && (() => suite(artifact)) };
}

/** Turns a stack overflow into a diagnostic: code that follows references recurses as deep as they lead. Throws any other error. */
export function diagnoseStackOverflow(error: unknown, { description }: DescriptionConfig): readonly Diagnostic[] {
  if (!(error instanceof RangeError)) throw error;
  const origin = { file: path.basename(description), pointer: "", line: 1, column: 1 };
  const message = "References nest thousands of schemas.";
  return [
    {
      code: "description/too-deep",
      severity: "error",
      origin,
      message,
      fix: "Reduce the nesting of references.",
    },
  ];
}

interface PackageContext extends Pick<DescriptionResult, "config" | "api"> {
  readonly description: Description;
  readonly incremental: IncrementalState;
}

/** Plans all packages of a description. Pure except for the formatter, which is a library. */
async function planPackages(
  planning: PackageContext,
  { only, deferredKinds, cache }: Omit<BuildOptions, "incremental"> & { readonly only: readonly string[] },
): Promise<Pick<DescriptionResult, "packages" | "deferred">> {
  const { config, api } = planning;
  const now: ArtifactTask[] = [];
  const deferred: ArtifactTask[] = [];
  for (const artifact of config.artifacts) {
    if (only.length > 0 && !only.includes(artifact.kind)) continue;
    const options = readArtifactOptions(artifact, planning);
    options.catch(() => undefined); // reported when its turn comes
    const begin = async (): Promise<GeneratedPackage> => {
      const files = await generateWithCache(planning, {
        artifact,
        cache,
        options: await options,
        generate: (watched) => {
          if (artifact.settings !== undefined) {
            const diagnostics = coverageDiagnostics(conformanceContextOf(api, watched), generateCases(api, watched));
            if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
          }
          return generateFiles(artifact, planning, watched);
        },
      });
      return { folder: artifact.out, files };
    };
    (deferredKinds.includes(artifact.kind) ? deferred : now).push({
      isBuiltIn: artifact.generator === undefined,
      options,
      run: begin,
    });
  }
  const packages = [...(await runTasks(now))];
  for (const { options } of deferred) await options;
  if (config.assumptions !== undefined && only.length === 0) {
    packages.push({
      folder: path.dirname(config.assumptions),
      files: [renderAssumptionsPage(api, path.basename(config.assumptions))],
    });
  }
  return { packages, deferred: deferred.length === 0 ? undefined : () => runTasks(deferred) };
}

interface ArtifactTask {
  readonly isBuiltIn: boolean;
  readonly options: Promise<ArtifactOptions>;
  readonly run: () => Promise<GeneratedPackage>;
}

/**
 * Runs the tasks in order. Built-in generators overlap with formatting; custom generators run alone. Throws the error of the first failing
 * task in order, even where a later one fails sooner.
 */
async function runTasks(plans: readonly ArtifactTask[]): Promise<readonly GeneratedPackage[]> {
  const begun = new Map(plans.filter(({ isBuiltIn }) => isBuiltIn).map((plan) => [plan, plan.run()] as const));
  await Promise.allSettled(begun.values());
  const packages: GeneratedPackage[] = [];
  for (const plan of plans) packages.push(await (begun.get(plan) ?? plan.run()));
  return packages;
}

async function generateFiles(
  { kind, generator, out, sourcesOnly }: ArtifactConfig,
  { api, description: { folder }, incremental: { formats } }: PackageContext,
  options: ArtifactOptions,
): Promise<readonly GeneratedFile[]> {
  const finished = (files: readonly GeneratedFile[]): Promise<readonly GeneratedFile[]> =>
    formatFiles(files, { formats, folder: out });
  if (generator === undefined) {
    const files = runGenerator(findGenerator(kind), api, options);
    return finished(sourcesOnly ? files.filter((file) => file.path.startsWith("src/gen/")) : files);
  }
  return runCustomGenerator({ entry: generator, folder, api, options, format: finished });
}

function findGenerator(kind: string): ArtifactGenerator {
  const generator = Object.hasOwn(artifactGenerators, kind) ? artifactGenerators[kind] : undefined;
  if (generator === undefined) throw new Error(`Unknown artifact ${kind}`);
  return generator;
}

async function readArtifactOptions(artifact: ArtifactConfig, planning: PackageContext): Promise<ArtifactOptions> {
  const {
    description: { folder, locate, sourceOf },
    api,
  } = planning;
  const source = (origin: SourceRef): string => {
    const { file, pointer } = sourceOf(origin);
    return `${path.basename(folder)}/${file}#${pointer}`;
  };
  return {
    package: artifact.package ?? `${packageNameFromTitle(api.title)}-${artifact.kind}`,
    private: artifact.private,
    source,
    locate,
    ...(artifact.kind === "conformance" ? { conformance: await readConformanceInput(artifact, planning) } : {}),
  };
}

/** Reads the inputs of a conformance suite besides the description. Throws a DiagnosticsError for invalid ones. */
async function readConformanceInput(
  artifact: ArtifactConfig,
  { config, description: { locate }, api, incremental }: PackageContext,
): Promise<ConformanceInput> {
  const before = incremental.suites.get(artifact.out);
  const controls =
    artifact.controls === undefined
      ? undefined
      : buildApi(await loadDescription(artifact.controls, artifact.controlsOverlays, config.boundary), {
          names: {},
          requirements: undefined,
          previous: before?.controls,
        });
  const settings =
    artifact.settings === undefined ? emptySettings : await readConformanceSettings(artifact.settings, api);
  const stories =
    artifact.workflows === undefined
      ? { workflows: [], scenarios: {} }
      : await readWorkflows({
          folder: artifact.workflows,
          description: config.description,
          controlsDescription: artifact.controls,
          api,
          controls,
          locate,
        });
  const input = shareStructure(before, { settings, controls, ...stories });
  incremental.suites.set(artifact.out, input);
  return input;
}

/** Formats text files. The formatter parses them, so invalid TypeScript is never written. */
async function formatFiles(
  files: readonly GeneratedFile[],
  { formats, folder }: Pick<IncrementalState, "formats"> & { readonly folder: string },
): Promise<readonly GeneratedFile[]> {
  const pending = [...files];
  const finished = new Map<string, GeneratedFile>();
  const formattedOnce = async (file: TextFile): Promise<GeneratedFile> => {
    const key = path.join(folder, file.path);
    const known = formats.get(key);
    if (known?.text === file.text) return known.formatted;
    const made = await formatFile(file);
    formats.set(key, { text: file.text, formatted: made });
    return made;
  };
  const work = async (): Promise<void> => {
    for (let file = pending.shift(); file !== undefined; file = pending.shift()) {
      finished.set(file.path, "text" in file ? await formattedOnce(file) : file);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return files.map((file) => finished.get(file.path) ?? file);
}

/** Derives a package name from a title, where plumbline.yaml has none. */
export function packageNameFromTitle(title: string): string {
  const words = withoutAccents(title)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.slice(0, 6).join("-").slice(0, 100) || "api";
}
