import path from "node:path";
import { availableParallelism } from "node:os";
import type { Case } from "@plumbline/conformance-runtime";
import { generators } from "./artifacts.js";
import { assumptionsPage } from "./assumptions.js";
import type { ArtifactConfig, Config, DescriptionConfig } from "./config.js";
import type { ConformanceInput } from "./conformance/settings.js";
import { casesOf } from "./conformance/index.js";
import { contextOf } from "./conformance/context.js";
import { coverageProblems } from "./conformance/coverage.js";
import { noSettings } from "./conformance/settings.js";
import { readSettings } from "./conformance-settings.js";
import type { GeneratedFile, GeneratedPackage } from "./emit/files.js";
import { formatted } from "./emit/format.js";
import { runGenerator, type ArtifactOptions } from "./generator.js";
import type { Api } from "./model/api.js";
import { buildApi } from "./model/build.js";
import { withoutAccents } from "./model/names.js";
import { loadRequirements } from "./model/sources.js";
import { ProblemError, type Problem } from "./problem.js";
import { readStories } from "./workflow-files.js";
import { lintInBackground, type LintJob, type Linting } from "./spec/background.js";
import { load, type Description } from "./spec/load.js";

/** What a description came to. */
export interface Read {
  readonly config: DescriptionConfig;
  /** Absolute path of the folder of the description. */
  readonly folder: string;
  readonly api: Api;
  readonly warnings: readonly Problem[];
  /** What is to be written; none where nobody asked for artifacts. */
  readonly packages: readonly GeneratedPackage[];
  /** The cases of the suite that is made of it, and why requirements have none; undefined where no suite is. */
  readonly suite: (() => Promise<SuiteOutline>) | undefined;
}

export interface SuiteOutline {
  readonly cases: readonly Case[];
  /** Why no case tests a requirement. */
  readonly untested: Readonly<Record<string, string>>;
}

/** What the descriptions of a configuration came to; `refused` are those with problems. */
export interface ReadAll {
  readonly reads: readonly Read[];
  readonly refused: readonly { readonly folder: string; readonly problems: readonly Problem[] }[];
}

export interface ReadOptions {
  readonly progress?: (text: string) => void;
  /** Plans packages of these artifacts, of every one when it is empty, while the linter is at work. */
  readonly only?: readonly string[];
  readonly startLinting?: (jobs: readonly LintJob[]) => Linting;
}

/**
 * Reads every description. A file that several of them share is judged by the first: its operations and resources are what the names in
 * the file mean.
 */
export async function readAll(
  config: Config,
  { progress, only, startLinting = lintInBackground }: ReadOptions = {},
): Promise<ReadAll> {
  const judged = new Set<string>();
  const linting = startLinting(
    config.descriptions.map(({ description, requirements }) => ({
      file: description,
      profile: config.profile,
      ...(requirements === undefined ? {} : { requirements }),
    })),
  );
  try {
    for (const file of config.earlier) for (const each of (await load(file)).files) judged.add(each.path);
    const reads: Read[] = [];
    const refused: { folder: string; problems: readonly Problem[] }[] = [];
    for (const [index, each] of config.descriptions.entries()) {
      progress?.(`reading ${path.basename(each.description)}`);
      try {
        reads.push(await readOne(each, { judged, only, linted: linting.problems[index] ?? Promise.resolve([]) }));
      } catch (error) {
        const problems = error instanceof ProblemError ? error.problems : tooDeep(error, each);
        refused.push({ folder: path.dirname(each.description), problems });
      }
    }
    return { reads, refused };
  } finally {
    await linting.stop();
  }
}

interface OneRead {
  /** Files that were judged before, to which those of this description are added. */
  readonly judged: Set<string>;
  readonly only: readonly string[] | undefined;
  readonly linted: Promise<readonly Problem[]>;
}

/** Loads one description and plans its packages while it is linted. Throws a ProblemError with everything that is wrong with it. */
async function readOne(config: DescriptionConfig, { judged, only, linted }: OneRead): Promise<Read> {
  const description = await load(config.description);
  const { folder } = description;
  const made = make(config, description, only);
  made.catch(() => undefined); // what lint has to say goes before what the model stumbles over
  const found = (await linted).filter((problem) => !judged.has(path.join(folder, problem.origin.file)));
  for (const file of description.files) judged.add(file.path);
  const warnings = found.filter((problem) => problem.severity === "warning");
  if (warnings.length < found.length) throw new ProblemError(found);
  return { config, folder, warnings, ...(await made) };
}

async function make(
  config: DescriptionConfig,
  description: Description,
  only: readonly string[] | undefined,
): Promise<Pick<Read, "api" | "packages" | "suite">> {
  const traced =
    config.requirements === undefined ? undefined : await loadRequirements(config.requirements, description.folder);
  const api = buildApi(description, { names: config.names, requirements: traced });
  const packages = only === undefined ? [] : await planPackages({ config, description, api }, only);
  const artifact = config.artifacts.find(({ kind }) => kind === "conformance");
  const suite = async (each: ArtifactConfig): Promise<SuiteOutline> => {
    const options = await optionsOf(each, { config, description, api });
    return { cases: casesOf(api, options), untested: options.conformance?.settings.untested ?? {} };
  };
  return { api, packages, suite: artifact && (() => suite(artifact)) };
}

/** Whatever follows references goes as deep as they lead; where the stack ends, the description is told. Throws anything else. */
export function tooDeep(error: unknown, { description }: DescriptionConfig): readonly Problem[] {
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

interface Planning extends Pick<Read, "config" | "api"> {
  readonly description: Description;
}

/** Everything to be written for a description. Pure but for the formatter, which is a library. */
async function planPackages(planning: Planning, only: readonly string[]): Promise<readonly GeneratedPackage[]> {
  const { config, api } = planning;
  const packages: GeneratedPackage[] = [];
  for (const artifact of config.artifacts) {
    const generator = generators[artifact.kind];
    if (generator === undefined || (only.length > 0 && !only.includes(artifact.kind))) continue;
    const options = await optionsOf(artifact, planning);
    if (artifact.settings !== undefined) {
      const problems = coverageProblems(contextOf(api, options), casesOf(api, options));
      if (problems.length > 0) throw new ProblemError(problems);
    }
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

async function optionsOf(artifact: ArtifactConfig, planning: Planning): Promise<ArtifactOptions> {
  const {
    description: { folder, locate },
    api,
  } = planning;
  return {
    package: artifact.package ?? `${packageName(api.title)}-${artifact.kind}`,
    private: artifact.private,
    source: (origin) => `${path.basename(folder)}/${origin.file}#${origin.pointer}`,
    locate,
    ...(artifact.kind === "conformance" ? { conformance: await conformanceInput(artifact, planning) } : {}),
  };
}

/** What a suite is made from beside the description. Throws a ProblemError for what is wrong there. */
async function conformanceInput(
  artifact: ArtifactConfig,
  { config, description: { locate }, api }: Planning,
): Promise<ConformanceInput> {
  const controls =
    artifact.controls === undefined
      ? undefined
      : buildApi(await load(artifact.controls), { names: {}, requirements: undefined });
  const settings = artifact.settings === undefined ? noSettings : await readSettings(artifact.settings, api);
  const stories =
    artifact.workflows === undefined
      ? { workflows: [], scenarios: {} }
      : await readStories({
          folder: artifact.workflows,
          description: config.description,
          controlsDescription: artifact.controls,
          api,
          controls,
          locate,
        });
  return { settings, controls, ...stories };
}

/** Formats what is text, which parses all of it: what is no TypeScript is never written. */
async function finish(files: readonly GeneratedFile[]): Promise<readonly GeneratedFile[]> {
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

/** A package name of a title, for those who only have a description. */
function packageName(title: string): string {
  const words = withoutAccents(title)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.slice(0, 6).join("-").slice(0, 100) || "api";
}
