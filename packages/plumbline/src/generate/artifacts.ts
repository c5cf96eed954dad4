import { availableParallelism } from "node:os";
import path from "node:path";
import { formatFile, type GeneratedFile, type GeneratedPackage, type TextFile } from "@plumbline/codegen";
import { renderAssumptionsPage } from "../assumptions-page.js";
import type { ArtifactConfig } from "../config/config.js";
import { generateWithCache } from "../incremental/artifact-cache.js";
import type { Incremental } from "../incremental/incremental.js";
import { readArtifactInput, type ArtifactInput, type GenerationContext } from "./artifact-input.js";
import { parseFiles } from "./generated-files.js";
import { failAt, firstLineOf } from "./guarded-call.js";

export interface ArtifactSelection {
  /** The artifacts to generate. Empty: all of them. */
  readonly only: readonly string[];
  /** Slow artifacts, whose generation is deferred. Their inputs are read with the others. */
  readonly deferredKinds: readonly string[];
}

export interface GeneratedArtifacts {
  readonly packages: readonly GeneratedPackage[];
  /** Generates the deferred packages; undefined where there are none. Throws a DiagnosticsError. */
  readonly deferred: (() => Promise<readonly GeneratedPackage[]>) | undefined;
}

/**
 * Generates the artifacts of a description.
 *
 * @throws DiagnosticsError for invalid inputs of an artifact, and for those that generators report.
 */
export async function generateArtifacts(
  context: GenerationContext,
  { only, deferredKinds }: ArtifactSelection,
): Promise<GeneratedArtifacts> {
  const { config, api } = context;
  const now: ArtifactTask[] = [];
  const deferred: ArtifactTask[] = [];
  for (const artifact of config.artifacts) {
    if (only.length > 0 && !only.includes(artifact.kind)) continue;
    const input = readArtifactInput(artifact, context);
    input.catch(() => undefined); // reported when its turn comes
    (deferredKinds.includes(artifact.kind) ? deferred : now).push({
      isBuiltIn: artifact.generator === undefined,
      input,
      run: async () => ({ folder: artifact.out, files: await generateFiles(artifact, context, await input) }),
    });
  }
  const packages = [...(await runTasks(now))];
  for (const { input } of deferred) await input;
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
  readonly input: Promise<ArtifactInput>;
  readonly run: () => Promise<GeneratedPackage>;
}

/**
 * Runs the tasks in order. Built-in generators overlap with formatting; generators of plumbline.yaml run alone. Throws the error of the
 * first failing task in order, even where a later one fails sooner.
 */
async function runTasks(tasks: readonly ArtifactTask[]): Promise<readonly GeneratedPackage[]> {
  const begun = new Map(tasks.filter(({ isBuiltIn }) => isBuiltIn).map((task) => [task, task.run()] as const));
  await Promise.allSettled(begun.values());
  const packages: GeneratedPackage[] = [];
  for (const task of tasks) packages.push(await (begun.get(task) ?? task.run()));
  return packages;
}

async function generateFiles(
  artifact: ArtifactConfig,
  context: GenerationContext,
  input: ArtifactInput,
): Promise<readonly GeneratedFile[]> {
  const { incremental, api, description } = context;
  const generate = async ({ generator, options }: ArtifactInput): Promise<readonly GeneratedFile[]> => {
    const made = await generator.files(api, options);
    const { generator: entry, out, sourcesOnly } = artifact;
    if (entry === undefined) {
      const files = sourcesOnly ? made.filter((file) => file.path.startsWith("src/gen/")) : made;
      return formatFiles(files, { incremental, folder: out });
    }
    const fail = failAt({ entry, folder: description.folder });
    const files = parseFiles(made, entry, fail);
    return formatFiles(files, { incremental, folder: out }).catch((error: unknown) =>
      fail("generator/text", firstLineOf(error), `Fix the output of ${entry.module}.`),
    );
  };
  return generateWithCache(context, { artifact, cache: incremental.artifacts, input, generate });
}

/** Formats text files. The formatter parses them, so invalid TypeScript is never written. */
async function formatFiles(
  files: readonly GeneratedFile[],
  { incremental: { formats }, folder }: { readonly incremental: Incremental; readonly folder: string },
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
