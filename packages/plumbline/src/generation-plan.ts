import path from "node:path";
import type { GeneratedPackage } from "@plumbline/kit/codegen";
import { DiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import {
  areUnchanged,
  sha256Hex,
  recordInputs,
  mergeInputs,
  type RecordedInputs,
  sourceFolder,
} from "@plumbline/kit/openapi/files";
import { preloadLinter } from "@plumbline/kit/openapi/lint-worker";
import type { Config } from "./config/config.js";
import type { MissingArtifact } from "./generate/artifacts.js";
import { noCache } from "./incremental/cache.js";
import { generatorIdentity } from "./incremental/generator-identity.js";
import { createIncremental } from "./incremental/incremental.js";
import type { DescriptionResult, PipelineOptions } from "./pipeline.js";

/** The packages to write for a configuration, and its diagnostics. */
export interface GenerationPlan {
  readonly packages: readonly GeneratedPackage[];
  /** Generates the deferred packages; undefined where there are none. Their diagnostics affect no other package. */
  readonly runDeferred?: () => Promise<DeferredResult>;
  /** Warnings, by the folder that their paths are relative to. */
  readonly warnings: readonly FolderDiagnostics[];
  /** Errors, by folder. Where there are any, nothing is written. */
  readonly rejected: readonly FolderDiagnostics[];
  /** The artifacts of rejected descriptions, and those that failed if the run keeps going. Their packages stay as they are. */
  readonly missing: readonly (MissingArtifact & FolderDiagnostics)[];
  readonly operations: number;
}

export interface FolderDiagnostics {
  /** Absolute path. */
  readonly folder: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface DeferredResult {
  readonly packages: readonly GeneratedPackage[];
  readonly rejected: readonly FolderDiagnostics[];
}

export interface GenerationOptions extends Omit<PipelineOptions, "only"> {
  /** The artifacts to generate. Empty: all of them. */
  readonly only: readonly string[];
  /** Receives the results of all descriptions. With this option they are read even where the cache has the packages. */
  readonly onResults?: (reads: readonly DescriptionResult[]) => void;
}

/** A cached plan, with its inputs. */
interface CachedPlan {
  readonly inputs: RecordedInputs;
  readonly plan: GenerationPlan;
}

/** Reads, lints and generates. Returns the cached plan of the same configuration where all of its inputs are unchanged. */
export async function planGeneration(
  config: Config,
  { only, incremental = createIncremental(), onResults, ...options }: GenerationOptions,
): Promise<GenerationPlan> {
  // The inputs of generators in plumbline.yaml are unknown.
  const isOurs = config.descriptions.every(({ artifacts }) =>
    artifacts.every(({ generator }) => generator === undefined),
  );
  const whole = isOurs && onResults === undefined ? incremental.runs : noCache;
  const sources = config.descriptions.map(({ description }) => sourceFolder(path.dirname(description)));
  const key = whole === noCache ? "" : sha256Hex(JSON.stringify([await generatorIdentity(), config, sources, only]));
  const cached = (await whole.get(key)) as CachedPlan | undefined;
  if (cached !== undefined && (await areUnchanged(cached.inputs))) {
    mergeInputs(cached.inputs);
    return cached.plan;
  }
  // The linter loads on another core while this one loads the generators.
  if (options.startLinting === undefined) preloadLinter();
  const { runPipeline } = await import("./pipeline.js");
  const { done, inputs } = recordInputs(() => runPipeline(config, { ...options, only, incremental }));
  const read = await done;
  const { results } = read;
  if (read.rejected.length === 0) onResults?.(results);
  const deferred = results.filter((result) => result.deferred !== undefined);
  const plan: GenerationPlan = {
    packages: results.flatMap(({ packages }) => packages),
    warnings: results.map(({ folder, warnings }): FolderDiagnostics => ({ folder, diagnostics: warnings })),
    rejected: read.rejected,
    missing: [
      ...results.flatMap(({ folder, missing }) => missing.map((each) => ({ ...each, folder }))),
      ...read.rejected.flatMap(
        ({ config: { artifacts }, folder }) =>
          artifacts
            .filter(({ kind }) => only.length === 0 || only.includes(kind))
            .map(({ kind, out }) => ({ kind, out, folder, diagnostics: [] })), // those of the description are in `rejected`
      ),
    ],
    operations: results.reduce((sum, { api }) => sum + api.operations.length, 0),
    ...(deferred.length === 0 ? {} : { runDeferred: () => generateDeferred(deferred) }),
  };
  // The linter reads the files itself, and may have seen another version of a file that changed meanwhile.
  if (read.rejected.length + plan.missing.length === 0 && deferred.length === 0 && whole !== noCache) {
    const recorded = await inputs();
    if (await areUnchanged(recorded)) await whole.put(key, { inputs: recorded, plan } satisfies CachedPlan);
  }
  return plan;
}

async function generateDeferred(reads: readonly DescriptionResult[]): Promise<DeferredResult> {
  const packages: GeneratedPackage[] = [];
  const rejected: FolderDiagnostics[] = [];
  for (const { folder, deferred } of reads) {
    try {
      packages.push(...((await deferred?.()) ?? []));
    } catch (error) {
      if (!(error instanceof DiagnosticsError)) throw error;
      rejected.push({ folder, diagnostics: error.diagnostics });
    }
  }
  return { packages, rejected };
}
