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
import type { GeneratedFile, GeneratedPackage, TextFile } from "./emit/files.js";
import { formatted } from "./emit/format.js";
import { runGenerator, type ArtifactOptions, type Generator } from "./generator.js";
import type { Api } from "./model/api.js";
import { buildApi } from "./model/build.js";
import { withoutAccents } from "./model/names.js";
import { reuse } from "./model/reuse.js";
import { loadRequirements } from "./model/sources.js";
import { noCache, type Cache } from "./cache.js";
import { nothingEarlier, type Earlier } from "./earlier.js";
import { keptFiles } from "./kept-files.js";
import { runNamedGenerator } from "./named-generators.js";
import { ProblemError, type Origin, type Problem } from "./problem.js";
import { readStories } from "./workflow-files.js";
import { lintInBackground, type LintJob, type Linting } from "./spec/background.js";
import { load, type Description } from "./spec/load.js";
import type { SourceFile } from "./spec/place.js";

/** The result of one description. */
export interface Read {
  readonly config: DescriptionConfig;
  /** Absolute path of the folder of the description. */
  readonly folder: string;
  readonly api: Api;
  /** Returns the line and column of a node of the model. */
  readonly locate: Description["locate"];
  readonly warnings: readonly Problem[];
  /** The packages to write; empty where `only` is undefined. */
  readonly packages: readonly GeneratedPackage[];
  /** Generates the deferred packages; undefined where there are none. Throws a ProblemError. */
  readonly later: (() => Promise<readonly GeneratedPackage[]>) | undefined;
  /** Generates the cases of the conformance suite; undefined where there is no suite. */
  readonly suite: (() => Promise<SuiteOutline>) | undefined;
}

export interface SuiteOutline {
  readonly cases: readonly Case[];
  /** The reasons why requirements have no case, by id. */
  readonly untested: Readonly<Record<string, string>>;
}

/** The results of all descriptions; `refused` has those with errors. */
export interface ReadAll {
  readonly reads: readonly Read[];
  readonly refused: readonly { readonly folder: string; readonly problems: readonly Problem[] }[];
}

export interface ReadOptions {
  readonly progress?: (text: string) => void;
  /** Generates packages of these artifacts while the linter runs. Empty: of all artifacts. Default: of none. */
  readonly only?: readonly string[];
  /** Slow artifacts, whose generation is deferred. Their inputs are read with the others. */
  readonly later?: readonly string[];
  readonly startLinting?: (jobs: readonly LintJob[]) => Linting;
  /** Caches generated files by model. Default: no cache. */
  readonly cache?: Cache;
  /** The state of the previous run, which this run updates. Default: empty. */
  readonly earlier?: Earlier;
}

/**
 * Reads, lints and generates all descriptions. The first description of a shared file decides its diagnostics: names in the file refer to
 * operations and resources of that description.
 */
export async function readAll(
  config: Config,
  {
    progress,
    only,
    later = [],
    startLinting = lintInBackground,
    cache = noCache,
    earlier = nothingEarlier(),
  }: ReadOptions = {},
): Promise<ReadAll> {
  const judged = new Set<string>();
  const reported = new Set<string>();
  const linting = startLinting(
    config.descriptions.map(({ description, overlays, boundary, requirements }) => ({
      file: description,
      profile: config.profile,
      overlays,
      boundary,
      ...(requirements === undefined ? {} : { requirements }),
    })),
  );
  try {
    for (const { description, overlays, boundary } of config.earlier)
      for (const file of (await load(description, overlays, boundary)).files) judged.add(identityOf(file));
    const reads: Read[] = [];
    const refused: ReadAll["refused"][number][] = [];
    for (const [index, each] of config.descriptions.entries()) {
      progress?.(`reading ${path.basename(each.description)}`);
      try {
        reads.push(
          await readOne(each, {
            judged,
            only,
            later,
            cache,
            earlier,
            linted: linting.problems[index] ?? Promise.resolve([]),
          }),
        );
      } catch (error) {
        const problems = error instanceof ProblemError ? error.problems : tooDeep(error, each);
        const folder = path.dirname(each.description);
        // The model of a later description repeats what the linter reported for a shared file.
        const placeOf = ({ origin }: Problem): string =>
          `${path.join(folder, origin.file)}:${origin.line}:${origin.column}`;
        refused.push({ folder, problems: problems.filter((problem) => !reported.has(placeOf(problem))) });
        for (const problem of problems) reported.add(placeOf(problem));
      }
    }
    return { reads, refused };
  } finally {
    await linting.stop();
  }
}

interface OneRead {
  /** Files with diagnostics of an earlier description; this one adds its own. */
  readonly judged: Set<string>;
  readonly only: readonly string[] | undefined;
  readonly later: readonly string[];
  readonly cache: Cache;
  readonly earlier: Earlier;
  readonly linted: Promise<readonly Problem[]>;
}

type Making = Omit<OneRead, "judged" | "linted">;

/** Loads one description and generates its packages while the linter runs. Throws a ProblemError with all of its diagnostics. */
async function readOne(config: DescriptionConfig, { judged, linted, ...making }: OneRead): Promise<Read> {
  const description = await load(config.description, config.overlays, config.boundary);
  const { folder } = description;
  const identities = new Map(description.files.map((file) => [file.name, identityOf(file)] as const));
  const made = make(config, description, making);
  made.catch(() => undefined); // diagnostics of the linter go before those of the model
  const found = (await linted).filter(({ origin }) => !judged.has(identities.get(origin.file) ?? origin.file));
  for (const known of identities.values()) judged.add(known);
  const warnings = found.filter((problem) => problem.severity === "warning");
  if (warnings.length < found.length) throw new ProblemError(found);
  return { config, folder, locate: description.locate, warnings, ...(await made) };
}

/** A file is the same for two descriptions where the same overlays change it. */
function identityOf({ path: file, overlaid }: SourceFile): string {
  return [file, ...(overlaid?.by ?? [])].join("\n");
}

async function make(
  config: DescriptionConfig,
  description: Description,
  { only, later, cache, earlier }: Making,
): Promise<Pick<Read, "api" | "packages" | "later" | "suite">> {
  const traced =
    config.requirements === undefined ? undefined : await loadRequirements(config.requirements, description.folder);
  const before = earlier.models.get(config.description);
  const api = buildApi(description, { names: config.names, requirements: traced, before });
  earlier.models.set(config.description, api);
  const planned: Pick<Read, "packages" | "later"> =
    only === undefined
      ? { packages: [], later: undefined }
      : await planPackages({ config, description, api, earlier }, { only, later, cache });
  const artifact = config.artifacts.find(({ kind }) => kind === "conformance");
  const suite = async (each: ArtifactConfig): Promise<SuiteOutline> => {
    const options = await optionsOf(each, { config, description, api, earlier });
    return { cases: casesOf(api, options), untested: options.conformance?.settings.untested ?? {} };
  };
  return { api, ...planned, suite: artifact && (() => suite(artifact)) };
}

/** Turns a stack overflow into a diagnostic: code that follows references recurses as deep as they lead. Throws any other error. */
export function tooDeep(error: unknown, { description }: DescriptionConfig): readonly Problem[] {
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

interface Planning extends Pick<Read, "config" | "api"> {
  readonly description: Description;
  readonly earlier: Earlier;
}

/** Plans all packages of a description. Pure except for the formatter, which is a library. */
async function planPackages(
  planning: Planning,
  { only, later, cache }: Omit<Making, "earlier"> & { readonly only: readonly string[] },
): Promise<Pick<Read, "packages" | "later">> {
  const { config, api } = planning;
  const now: Plan[] = [];
  const putOff: Plan[] = [];
  for (const artifact of config.artifacts) {
    if (only.length > 0 && !only.includes(artifact.kind)) continue;
    const options = optionsOf(artifact, planning);
    options.catch(() => undefined); // reported when its turn comes
    const begin = async (): Promise<GeneratedPackage> => {
      const files = await keptFiles(planning, {
        artifact,
        cache,
        options: await options,
        make: (watched) => {
          if (artifact.settings !== undefined) {
            const problems = coverageProblems(contextOf(api, watched), casesOf(api, watched));
            if (problems.length > 0) throw new ProblemError(problems);
          }
          return filesOf(artifact, planning, watched);
        },
      });
      return { folder: artifact.out, files };
    };
    (later.includes(artifact.kind) ? putOff : now).push({ isOurs: artifact.generator === undefined, options, begin });
  }
  const packages = [...(await allOf(now))];
  for (const { options } of putOff) await options;
  if (config.assumptions !== undefined && only.length === 0) {
    packages.push({
      folder: path.dirname(config.assumptions),
      files: [assumptionsPage(api, path.basename(config.assumptions))],
    });
  }
  return { packages, later: putOff.length === 0 ? undefined : () => allOf(putOff) };
}

interface Plan {
  readonly isOurs: boolean;
  readonly options: Promise<ArtifactOptions>;
  readonly begin: () => Promise<GeneratedPackage>;
}

/**
 * Runs the tasks in order. Built-in generators overlap with formatting; custom generators run alone. Throws the error of the first failing
 * task in order, even where a later one fails sooner.
 */
async function allOf(plans: readonly Plan[]): Promise<readonly GeneratedPackage[]> {
  const begun = new Map(plans.filter(({ isOurs }) => isOurs).map((plan) => [plan, plan.begin()] as const));
  await Promise.allSettled(begun.values());
  const packages: GeneratedPackage[] = [];
  for (const plan of plans) packages.push(await (begun.get(plan) ?? plan.begin()));
  return packages;
}

async function filesOf(
  { kind, generator, out }: ArtifactConfig,
  { api, description: { folder }, earlier: { formats } }: Planning,
  options: ArtifactOptions,
): Promise<readonly GeneratedFile[]> {
  const finished = (files: readonly GeneratedFile[]): Promise<readonly GeneratedFile[]> =>
    finish(files, { formats, folder: out });
  if (generator === undefined) return finished(runGenerator(generatorOf(kind), api, options));
  return runNamedGenerator({ named: generator, folder, api, options, finish: finished });
}

function generatorOf(kind: string): Generator {
  const generator = Object.hasOwn(generators, kind) ? generators[kind] : undefined;
  if (generator === undefined) throw new Error(`Unknown artifact ${kind}`);
  return generator;
}

async function optionsOf(artifact: ArtifactConfig, planning: Planning): Promise<ArtifactOptions> {
  const {
    description: { folder, locate, written },
    api,
  } = planning;
  const source = (origin: Origin): string => {
    const { file, pointer } = written(origin);
    return `${path.basename(folder)}/${file}#${pointer}`;
  };
  return {
    package: artifact.package ?? `${packageName(api.title)}-${artifact.kind}`,
    private: artifact.private,
    source,
    locate,
    ...(artifact.kind === "conformance" ? { conformance: await conformanceInput(artifact, planning) } : {}),
  };
}

/** Reads the inputs of a conformance suite besides the description. Throws a ProblemError for invalid ones. */
async function conformanceInput(
  artifact: ArtifactConfig,
  { config, description: { locate }, api, earlier }: Planning,
): Promise<ConformanceInput> {
  const before = earlier.suites.get(artifact.out);
  const controls =
    artifact.controls === undefined
      ? undefined
      : buildApi(await load(artifact.controls, artifact.controlsOverlays, config.boundary), {
          names: {},
          requirements: undefined,
          before: before?.controls,
        });
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
  const input = reuse(before, { settings, controls, ...stories });
  earlier.suites.set(artifact.out, input);
  return input;
}

/** Formats text files. The formatter parses them, so invalid TypeScript is never written. */
async function finish(
  files: readonly GeneratedFile[],
  { formats, folder }: Pick<Earlier, "formats"> & { readonly folder: string },
): Promise<readonly GeneratedFile[]> {
  const pending = [...files];
  const finished = new Map<string, GeneratedFile>();
  const formattedOnce = async (file: TextFile): Promise<GeneratedFile> => {
    const key = path.join(folder, file.path);
    const known = formats.get(key);
    if (known?.text === file.text) return known.formatted;
    const made = await formatted(file);
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
export function packageName(title: string): string {
  const words = withoutAccents(title)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.slice(0, 6).join("-").slice(0, 100) || "api";
}
