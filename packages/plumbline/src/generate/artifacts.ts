import { availableParallelism } from "node:os";
import path from "node:path";
import { formatFile, type GeneratedFile, type GeneratedPackage, type TextFile } from "@plumbline/kit/codegen";
import { isDiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import { sourceFolder } from "@plumbline/kit/openapi/files";
import { slowArtifacts } from "../artifact-kinds.js";
import type { ArtifactConfig } from "../config/config.js";
import type { Incremental } from "../incremental/incremental.js";
import { generateWithCache, type GeneratedContents } from "./artifact-cache.js";
import { readArtifactInput, type ArtifactInput, type GenerationContext } from "./artifact-input.js";
import { parseFiles } from "./generated-files.js";
import { failAt, firstLineOf, isStackOverflow } from "./guarded-call.js";
import { replaceImportExtensions } from "./import-extensions.js";

export interface ArtifactSelection {
  /** The artifacts to generate. Empty: all of them. */
  readonly only: readonly string[];
  /** Slow artifacts, whose generation is deferred. Their inputs are read with the others. */
  readonly deferredKinds: readonly string[];
  /** Leaves out the artifacts that fail. Default: the first failure is thrown. */
  readonly keepGoing?: boolean;
  /** Rejects where the linter finds errors. Slow artifacts, and those of plumbline.yaml, wait for it. Default: resolved. */
  readonly linted?: Promise<unknown>;
}

/** An artifact that could not be generated. Its files stay as they are. */
export interface MissingArtifact {
  readonly kind: string;
  /** Absolute path of its package. */
  readonly out: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface GeneratedArtifacts {
  /** The warnings of generators. */
  readonly generatorWarnings: readonly Diagnostic[];
  readonly packages: readonly GeneratedPackage[];
  /** The artifacts that failed, if the run keeps going. */
  readonly missing: readonly MissingArtifact[];
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
  { only, deferredKinds, keepGoing = false, linted = Promise.resolve() }: ArtifactSelection,
): Promise<GeneratedArtifacts> {
  const { config } = context;
  const now: ArtifactTask[] = [];
  const deferred: ArtifactTask[] = [];
  for (const artifact of config.artifacts) {
    if (only.length > 0 && !only.includes(artifact.kind)) continue;
    const input = readArtifactInput(artifact, context);
    input.catch(() => undefined); // reported when its turn comes
    (deferredKinds.includes(artifact.kind) ? deferred : now).push({
      artifact,
      isFast: artifact.generator === undefined && !slowArtifacts.some((kind) => kind === artifact.kind),
      input,
      run: async () => {
        const { files, warnings } = await generateContents(artifact, context, await input);
        return { generated: { folder: artifact.out, files }, warnings };
      },
    });
  }
  const { packages: generated, missing, generatorWarnings } = await runTasks(now, { keepGoing, linted, context });
  const packages = [...generated];
  for (const { input } of deferred) await input;
  const runDeferred = async (): Promise<readonly GeneratedPackage[]> =>
    (await runTasks(deferred, { keepGoing: false, linted, context })).packages;
  return { packages, missing, generatorWarnings, deferred: deferred.length === 0 ? undefined : runDeferred };
}

interface ArtifactTask {
  readonly artifact: ArtifactConfig;
  /** Fast artifacts are generated while the linter runs. */
  readonly isFast: boolean;
  readonly input: Promise<ArtifactInput>;
  readonly run: () => Promise<{ readonly generated: GeneratedPackage; readonly warnings: readonly Diagnostic[] }>;
}

/**
 * Runs the tasks in order. Fast built-in generators overlap with formatting and linting; the others begin when the linter has found no
 * error, and those of plumbline.yaml run alone. Throws the error of the first failing task in order, even where a later one fails sooner.
 */
async function runTasks(
  tasks: readonly ArtifactTask[],
  {
    keepGoing,
    linted,
    context,
  }: { readonly keepGoing: boolean; readonly linted: Promise<unknown>; readonly context: GenerationContext },
): Promise<Pick<GeneratedArtifacts, "packages" | "missing" | "generatorWarnings">> {
  const begun = new Map(tasks.filter(({ isFast }) => isFast).map((task) => [task, task.run()] as const));
  const isBuiltIn = ({ artifact }: ArtifactTask): boolean => artifact.generator === undefined;
  if (tasks.some(({ isFast }) => !isFast)) {
    for (const each of begun.values()) each.catch(() => undefined); // reported in order
    await linted;
    for (const task of tasks) if (isBuiltIn(task) && !begun.has(task)) begun.set(task, task.run());
  }
  await Promise.allSettled(begun.values());
  const packages: GeneratedPackage[] = [];
  const missing: MissingArtifact[] = [];
  const generatorWarnings: Diagnostic[] = [];
  for (const task of tasks) {
    try {
      const { generated, warnings } = await (begun.get(task) ?? task.run());
      packages.push(generated);
      generatorWarnings.push(...warnings);
    } catch (error) {
      if (!keepGoing) throw error;
      const { kind, out } = task.artifact;
      missing.push({ kind, out, diagnostics: diagnose(error, context) });
    }
  }
  // A validator and a server report the same of one description.
  const distinct = new Map(generatorWarnings.map((each) => [JSON.stringify(each), each] as const));
  return { packages, missing, generatorWarnings: [...distinct.values()] };
}

/** The diagnostics of an artifact that fails. An error of a built-in generator is a bug, which must not affect the other artifacts. */
function diagnose(error: unknown, { config }: GenerationContext): readonly Diagnostic[] {
  if (isDiagnosticsError(error)) return error.diagnostics;
  const message = isStackOverflow(error)
    ? "References nest thousands of schemas."
    : `The generator failed: ${firstLineOf(error)}`;
  const origin = { file: path.basename(config.description), pointer: "", line: 1, column: 1 };
  return [
    { code: isStackOverflow(error) ? "description/too-deep" : "generator/failed", severity: "error", origin, message },
  ];
}

async function generateContents(
  artifact: ArtifactConfig,
  context: GenerationContext,
  input: ArtifactInput,
): Promise<GeneratedContents> {
  const { incremental, description } = context;
  const warningsOf = async ({ api, generator, options }: ArtifactInput): Promise<readonly Diagnostic[] | undefined> =>
    generator.warnings?.(api, options);
  const generate = async (artifactInput: ArtifactInput): Promise<GeneratedContents> => {
    const files = await generateFiles(artifactInput);
    return { files, warnings: (await warningsOf(artifactInput)) ?? [] };
  };
  const generateFiles = async ({ api, generator, options }: ArtifactInput): Promise<readonly GeneratedFile[]> => {
    const generated = await generator.files(api, options);
    const { generator: entry, sourcesOnly, importExtension } = artifact;
    const banner = printBanner(context);
    if (entry === undefined) {
      const files = sourcesOnly ? withoutPackage(generated) : generated;
      const formatted = await formatFiles(withBanner(files, banner), incremental);
      return replaceImportExtensions(formatted, importExtension);
    }
    const fail = failAt({ entry, folder: description.folder });
    const files = withBanner(parseFiles(generated, entry, fail), banner);
    return formatFiles(files, incremental).catch((error: unknown) =>
      fail("generator/text", firstLineOf(error), `Fix the output of ${entry.module}.`),
    );
  };
  return generateWithCache(context, { artifact, cache: incremental.artifacts, input, generate });
}

/** The sources of a package, relative to their own folder, with the entry point of the package. */
function withoutPackage(files: readonly GeneratedFile[]): readonly GeneratedFile[] {
  const folder = "src/gen/";
  const sources = files
    .filter((file) => file.path.startsWith(folder))
    .map((file) => ({ ...file, path: file.path.slice(folder.length) }));
  const entry = files.find((file) => file.path === "src/index.ts");
  if (entry === undefined || !("text" in entry) || sources.some((file) => file.path === "index.ts")) return sources;
  return [...sources, { ...entry, path: "index.ts", text: entry.text.replaceAll('"./gen/', '"./') }];
}

/** The first line of generated sources. */
function printBanner({ config, description }: GenerationContext): string {
  const source = `${sourceFolder(description.folder)}${path.basename(config.description)}`;
  return `// Generated by plumbline from ${source.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")}. Do not edit.\n`;
}

/** Puts the banner on sources. Not on data and pages, on scripts with an interpreter, and on files of the user. */
function withBanner(files: readonly GeneratedFile[], banner: string): readonly GeneratedFile[] {
  return files.map((file) =>
    "text" in file && !("original" in file) && /\.[cm]?[jt]sx?$/.test(file.path) && !file.text.startsWith("#!")
      ? { ...file, text: `${banner}\n${file.text}` }
      : file,
  );
}

/** Formats text files. The formatter parses them, so invalid TypeScript is never written. */
async function formatFiles(
  files: readonly GeneratedFile[],
  { formatted }: Incremental,
): Promise<readonly GeneratedFile[]> {
  const pending = [...files];
  const finished = new Map<string, GeneratedFile>();
  const formattedOnce = async (file: TextFile): Promise<GeneratedFile> => {
    // How a text is formatted depends on the name of its file, and for data on the folder.
    const key = `${/^data\//.exec(file.path)?.[0] ?? ""}${path.basename(file.path)}\n${file.text}`;
    return { ...file, text: await formatted.get(key, async () => (await formatFile(file)).text) };
  };
  const work = async (): Promise<void> => {
    for (let file = pending.shift(); file !== undefined; file = pending.shift()) {
      finished.set(file.path, "text" in file && !("original" in file) ? await formattedOnce(file) : file);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return files.map((file) => finished.get(file.path) ?? file);
}
