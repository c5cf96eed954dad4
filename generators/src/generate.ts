import path from "node:path";
import { availableParallelism } from "node:os";
import { generators } from "./artifacts.js";
import { assumptionsPage } from "./assumptions.js";
import type { Config, DescriptionConfig } from "./config.js";
import { checkSyntax } from "./emit/check.js";
import type { GeneratedFile, GeneratedPackage, TextFile } from "./emit/files.js";
import { formatted } from "./emit/format.js";
import { runGenerator, type ArtifactOptions } from "./generator.js";
import type { Api } from "./model/api.js";
import { buildApi } from "./model/build.js";
import { withoutAccents } from "./model/names.js";
import { loadRequirements } from "./model/sources.js";
import { ProblemError, type Problem } from "./problem.js";
import { circles } from "./spec/circles.js";
import { inOrder, lint } from "./spec/lint.js";
import { load } from "./spec/load.js";

/** What a description came to. */
export interface Read {
  readonly config: DescriptionConfig;
  /** Absolute path of the folder of the description. */
  readonly folder: string;
  readonly api: Api;
  readonly warnings: readonly Problem[];
}

/** What the descriptions of a configuration came to; `refused` are those with problems. */
export interface ReadAll {
  readonly reads: readonly Read[];
  readonly refused: readonly { readonly folder: string; readonly problems: readonly Problem[] }[];
}

/**
 * Reads every description. A file that several of them share is judged by the first: its operations and resources are what the names in
 * the file mean.
 */
export async function readAll(config: Config, progress: (text: string) => void): Promise<ReadAll> {
  const judged = new Set<string>();
  for (const file of config.earlier) for (const each of (await load(file)).files) judged.add(each.path);
  const reads: Read[] = [];
  const refused: { folder: string; problems: readonly Problem[] }[] = [];
  for (const each of config.descriptions) {
    progress(`reading ${path.basename(each.description)}`);
    try {
      reads.push(await readOne(each, config.profile, judged));
    } catch (error) {
      const problems = error instanceof ProblemError ? error.problems : tooDeep(error, each);
      refused.push({ folder: path.dirname(each.description), problems });
    }
  }
  return { reads, refused };
}

/** Loads, lints and models one description, and adds its files to `judged`. Throws a ProblemError with everything that is wrong with it. */
async function readOne(config: DescriptionConfig, profile: Config["profile"], judged: Set<string>): Promise<Read> {
  const description = await load(config.description);
  const endless = circles(description);
  if (endless.length > 0) throw new ProblemError(inOrder(endless));
  const { requirements } = config;
  const linted = await lint(config.description, { profile, ...(requirements === undefined ? {} : { requirements }) });
  const found = linted.filter((problem) => !judged.has(path.join(description.folder, problem.origin.file)));
  for (const file of description.files) judged.add(file.path);
  const warnings = found.filter((problem) => problem.severity === "warning");
  if (warnings.length < found.length) throw new ProblemError(found);
  const traced = requirements === undefined ? undefined : await loadRequirements(requirements, description.folder);
  const api = buildApi(description, { names: config.names, requirements: traced });
  return { config, folder: description.folder, api, warnings };
}

/** Whatever follows references goes as deep as they lead; where the stack ends, the description is told. Throws anything else. */
function tooDeep(error: unknown, { description }: DescriptionConfig): readonly Problem[] {
  if (!(error instanceof RangeError)) throw error;
  const origin = { file: path.basename(description), pointer: "", line: 1, column: 1 };
  const message = "References lead from one schema into the next, thousands of times.";
  return [
    {
      code: "description/too-deep",
      severity: "error",
      origin,
      message,
      fix: "Let fewer of them be one within the other.",
    },
  ];
}

/** Everything to be written for a description. Pure but for the formatter, which is a library. */
export async function planPackages(read: Read, only: readonly string[]): Promise<readonly GeneratedPackage[]> {
  const { config, folder, api } = read;
  const packages: GeneratedPackage[] = [];
  for (const artifact of config.artifacts) {
    const generator = generators[artifact.kind];
    if (generator === undefined || (only.length > 0 && !only.includes(artifact.kind))) continue;
    const options: ArtifactOptions = {
      package: artifact.package ?? `${packageName(api.title)}-${artifact.kind}`,
      private: artifact.private,
      source: (origin) => `${path.basename(folder)}/${origin.file}#${origin.pointer}`,
    };
    packages.push({ folder: artifact.out, files: await finish(runGenerator(generator, api, options)) });
  }
  if (config.assumptions !== undefined && only.length === 0) {
    packages.push({
      folder: path.dirname(config.assumptions),
      files: [assumptionsPage(api, path.basename(config.assumptions))],
    });
  }
  return packages;
}

/** Checks and formats what is TypeScript; everything else is written as it is. */
async function finish(files: readonly GeneratedFile[]): Promise<readonly GeneratedFile[]> {
  // Types come from TypeScript's own printer, and are most of the text: their syntax needs no second look.
  checkSyntax(files.filter((file): file is TextFile => isTypeScript(file) && !file.path.endsWith("/types.ts")));
  const pending = [...files];
  const finished = new Map<string, GeneratedFile>();
  const work = async (): Promise<void> => {
    for (let file = pending.shift(); file !== undefined; file = pending.shift()) {
      finished.set(file.path, "text" in file ? await formatted(file) : file);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return files.map((file) => finished.get(file.path) ?? file);
}

function isTypeScript(file: GeneratedFile): file is TextFile {
  return "text" in file && file.path.endsWith(".ts");
}

/** A package name of a title, for those who only have a description. */
function packageName(title: string): string {
  const words = withoutAccents(title)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.slice(0, 6).join("-").slice(0, 100) || "api";
}
