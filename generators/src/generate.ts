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

/** What a description came to. */
export interface Read {
  readonly config: DescriptionConfig;
  /** Absolute path of the folder of the description. */
  readonly folder: string;
  readonly api: Api;
  /** Where a node of the model is, for a reader. */
  readonly locate: Description["locate"];
  readonly warnings: readonly Problem[];
  /** What is to be written; none where nobody asked for artifacts. */
  readonly packages: readonly GeneratedPackage[];
  /** What was put off, and is to be written as well; undefined where nothing was. Throws a ProblemError. */
  readonly later: (() => Promise<readonly GeneratedPackage[]>) | undefined;
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
  /** Artifacts that take long, and are put off; what they are made from is read with the others. */
  readonly later?: readonly string[];
  readonly startLinting?: (jobs: readonly LintJob[]) => Linting;
  /** Keeps what is generated for as long as the model is the same. */
  readonly cache?: Cache;
  /** What was made stays here for the next time. */
  readonly earlier?: Earlier;
}

/**
 * Reads every description. A file that several of them share is judged by the first: its operations and resources are what the names in
 * the file mean.
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
  const told = new Set<string>();
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
    const refused: { folder: string; problems: readonly Problem[] }[] = [];
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
        // What the linter said of the first that has a file the model says of the next.
        const placeOf = ({ origin }: Problem): string =>
          `${path.join(folder, origin.file)}:${origin.line}:${origin.column}`;
        refused.push({ folder, problems: problems.filter((problem) => !told.has(placeOf(problem))) });
        for (const problem of problems) told.add(placeOf(problem));
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
  readonly later: readonly string[];
  readonly cache: Cache;
  readonly earlier: Earlier;
  readonly linted: Promise<readonly Problem[]>;
}

type Making = Omit<OneRead, "judged" | "linted">;

/** Loads one description and plans its packages while it is linted. Throws a ProblemError with everything that is wrong with it. */
async function readOne(config: DescriptionConfig, { judged, linted, ...making }: OneRead): Promise<Read> {
  const description = await load(config.description, config.overlays, config.boundary);
  const { folder } = description;
  const identities = new Map(description.files.map((file) => [file.name, identityOf(file)] as const));
  const made = make(config, description, making);
  made.catch(() => undefined); // what lint has to say goes before what the model stumbles over
  const found = (await linted).filter(({ origin }) => !judged.has(identities.get(origin.file) ?? origin.file));
  for (const known of identities.values()) judged.add(known);
  const warnings = found.filter((problem) => problem.severity === "warning");
  if (warnings.length < found.length) throw new ProblemError(found);
  return { config, folder, locate: description.locate, warnings, ...(await made) };
}

/** What another description reads too is the same where the same overlays change it. */
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
  const planned =
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
  readonly earlier: Earlier;
}

/** Everything to be written for a description. Pure but for the formatter, which is a library. */
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
    options.catch(() => undefined); // told when it is its turn
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
 * All of them in order. Of ours one is generated while another is formatted; those of others run alone. Throws what the first says that fails,
 * whichever fails sooner.
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
  if (generator === undefined) throw new Error(`there is no artifact ${kind}`);
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

/** What a suite is made from beside the description. Throws a ProblemError for what is wrong there. */
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

/** Formats what is text, which parses all of it: what is no TypeScript is never written. */
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

/** A package name of a title, for those who only have a description. */
export function packageName(title: string): string {
  const words = withoutAccents(title)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.slice(0, 6).join("-").slice(0, 100) || "api";
}
