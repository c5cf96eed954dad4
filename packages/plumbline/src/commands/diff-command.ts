import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  formatChangeset,
  computeBump,
  compareDescriptions,
  type Difference,
  formatDiffAsMarkdown,
  formatDiffAsJson,
  formatDiffAsText,
  type CodeImpact,
  type CodePlace,
  concernsCode,
  formatImpactAsAnnotations,
  formatImpactAsJson,
  formatImpactAsMarkdown,
  formatImpactAsText,
  isBreaking,
  type DiffReport,
  type ReportedDifference,
} from "@plumbline/diff";
import type { ArtifactConfig, DescriptionConfig } from "../config/config.js";
import type { Api } from "@plumbline/model";
import { type Description, loadDescription } from "@plumbline/openapi";
import {
  DiffInputError,
  hasSameFiles,
  openDiffInput,
  readDiffModel,
  findSpec,
  type DiffInput,
} from "../diff-inputs.js";
import {
  UsageError,
  allowOutsideHelp,
  allowOutsideOption,
  parseList,
  type Command,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./command.js";

export const diffCommand: Command = {
  options: {
    spec: "file",
    [allowOutsideOption]: "flag",
    code: "file",
    format: ["text", "json", "markdown", "changeset", "github"],
    "fail-on": ["breaking", "any", "none"],
    out: "file",
  },
  positionals: 2,
  argument: "file",
  help: `plumbline diff OLD [NEW] [--code PATH,…] [--format text|json|markdown|changeset|github] [--fail-on breaking|any|none] [--out FILE]

Compares two OpenAPI descriptions and reports what changed, whom it breaks, and why. It compares their meaning, not their text.
With --code it reports which of the changes concern your code, and where.

  OLD, NEW       a description, a plumbline.yaml, a folder with one, or a git revision such as main, v1.2, HEAD~1 or
                   main:spec/openapi.yaml. Default of NEW: the working tree
  --spec FILE    the plumbline.yaml or description to read from a revision. Default: spec/plumbline.yaml of this folder or the
                   nearest parent folder
  --code PATH,…  files and folders of TypeScript or JavaScript that use the API: its generated client, or types in the form of
                   openapi-typescript. Requires the package @plumbline/codemods
  --format       output format: text, json, markdown (for pull requests), changeset (a file for .changeset/ with the version
                   bump of each package in plumbline.yaml), or github (annotations of the code; with --code only). Default: text
  --fail-on      differences that cause exit code 1: breaking, any or none. With --code, only those that concern the code, or may
                   do so. Default: breaking
  --out FILE     write the output to a file, and create its folder; without differences, no changeset is written.
                   Default: standard output
${allowOutsideHelp}.
                 References of a revision never leave the revision

Examples
  plumbline diff main
  plumbline diff v1.2.0 v1.3.0 --format markdown
  plumbline diff published.yaml openapi.yaml --fail-on none --format json
  plumbline diff main --fail-on none --format changeset --out .changeset/api.md
  plumbline diff v4.yaml v5.yaml --code src,test
`,
  run: diff,
};

type DiffFormatter = (outcome: DiffOutcome) => string;

const formats: Readonly<Record<string, DiffFormatter>> = {
  text: formatDiffAsText,
  json: formatDiffAsJson,
  markdown: formatDiffAsMarkdown,
  changeset: formatChangeset,
};

const codeFormats: Readonly<Record<string, DiffFormatter>> = {
  text: ({ impacts }) => formatImpactAsText(impacts),
  json: ({ impacts }) => formatImpactAsJson(impacts),
  markdown: ({ impacts }) => formatImpactAsMarkdown(impacts),
  github: ({ impacts }) => formatImpactAsAnnotations(impacts),
};

const failOnPredicates: Readonly<Record<string, (difference: ReportedDifference) => boolean>> = {
  breaking: isBreaking,
  any: () => true,
  none: () => false,
};

async function diff(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const format = args.text("format") ?? "text";
  const failOn = failOnPredicates[args.text("fail-on") ?? "breaking"];
  const [oldName, newName] = args.positionals;
  if (oldName === undefined) throw new UsageError("Missing argument OLD: a file, a folder or a git revision.");
  const code = parseList(args, "code").map((each) => path.resolve(io.folder, each));
  const known = code.length > 0 ? codeFormats : formats;
  const formatter = Object.hasOwn(known, format) ? known[format] : undefined;
  if (formatter === undefined)
    throw new UsageError(
      `"${format}" is not a valid format ${code.length > 0 ? "with" : "without"} --code. Use ${Object.keys(known).join(", ")}.`,
    );
  const missing = code.find((each) => !existsSync(each));
  if (missing !== undefined) throw new UsageError(`There is no ${missing}. --code takes files and folders.`);
  if (failOn === undefined)
    throw new UsageError(
      `"${args.text("fail-on") ?? ""}" is not a valid value of --fail-on. Use ${Object.keys(failOnPredicates).join(", ")}.`,
    );
  const outcome = await compareInputs(
    { oldName, newName, spec: args.text("spec"), allowOutside: args.flag(allowOutsideOption), code },
    io,
  );
  const isIdle = format === "changeset" && outcome.differences.length === 0;
  if (format === "changeset" && outcome.packages.length === 0 && !isIdle)
    throw new UsageError("A changeset requires package names. Set `package` in plumbline.yaml.");
  const out = args.text("out");
  if (isIdle) io.error.write("No differences: no changeset is needed.\n");
  else if (out === undefined) io.out.write(formatter(outcome));
  else writeTo(path.resolve(io.folder, out), formatter(outcome));
  const counted =
    code.length === 0
      ? outcome.differences
      : outcome.impacts
          .filter((each) => each.places.length > 0 || concernsCode(each))
          .map(({ difference }) => difference);
  return counted.some(failOn) ? 1 : 0;
}

interface DiffOutcome extends DiffReport {
  /** The differences with their places in code. Empty without `--code`. */
  readonly impacts: readonly CodeImpact[];
}

/** Writes a file, and creates its folder. */
function writeTo(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

interface DiffArguments {
  readonly oldName: string;
  readonly newName: string | undefined;
  readonly spec: string | undefined;
  readonly allowOutside: boolean;
  /** Absolute paths. */
  readonly code: readonly string[];
}

async function compareInputs(
  { oldName, newName, spec, allowOutside, code }: DiffArguments,
  { folder: from }: CommandIo,
): Promise<DiffOutcome> {
  const onDisk = await findSpec(spec ?? (await findSpec(newName, from)), from);
  const opened: DiffInput[] = [];
  try {
    const current = newName ?? onDisk;
    if (current === undefined)
      throw new DiffInputError("There is no spec/plumbline.yaml to compare with in this folder or its parents.");
    for (const named of [oldName, current])
      opened.push(await openDiffInput(named, { from, spec: onDisk, allowOutside }));
    const [old, next] = opened;
    return old === undefined || next === undefined ? noDifferences : await compare(old, next, { code, from });
  } catch (error) {
    throw error instanceof DiffInputError ? new UsageError(error.message) : error;
  } finally {
    for (const side of opened) side.close();
  }
}

/** Matches descriptions by their path from plumbline.yaml. If both inputs have only one, these match whatever their names. */
async function compare(old: DiffInput, next: DiffInput, search: CodeSearch): Promise<DiffOutcome> {
  const keyOf = ({ description }: DescriptionConfig, side: DiffInput): string =>
    path.relative(side.folder, description);
  const isAlone = old.config.descriptions.length === 1 && next.config.descriptions.length === 1;
  const before = new Map(old.config.descriptions.map((each) => [isAlone ? "" : keyOf(each, old), each] as const));
  const after = new Map(next.config.descriptions.map((each) => [isAlone ? "" : keyOf(each, next), each] as const));
  const outcomes: DiffOutcome[] = [];
  for (const key of new Set([...after.keys(), ...before.keys()]))
    outcomes.push(
      await compareDescription({ side: old, config: before.get(key) }, { side: next, config: after.get(key) }, search),
    );
  return {
    differences: outcomes.flatMap((each) => each.differences),
    packages: outcomes.flatMap((each) => each.packages),
    impacts: outcomes.flatMap((each) => each.impacts),
  };
}

const noDifferences: DiffOutcome = { differences: [], packages: [], impacts: [] };

/** The code in which to look for uses of what has changed. */
interface CodeSearch {
  /** Absolute paths. */
  readonly code: readonly string[];
  /** The folder that paths are shown from. */
  readonly from: string;
}

interface ConfiguredInput {
  readonly side: DiffInput;
  readonly config: DescriptionConfig | undefined;
}

async function compareDescription(
  old: ConfiguredInput,
  next: ConfiguredInput,
  search: CodeSearch,
): Promise<DiffOutcome> {
  const config = next.config ?? old.config;
  if (config === undefined) return noDifferences;
  const hasSameNames = JSON.stringify(old.config?.names) === JSON.stringify(next.config?.names);
  // Files that are equal byte for byte need not be parsed.
  if (old.config !== undefined && next.config !== undefined && hasSameNames) {
    const loaded = await loadDescription(next.config.description, next.config.overlays, next.config.boundary).catch(
      () => undefined,
    );
    if (loaded !== undefined && hasSameFiles(loaded, old.config)) return noDifferences;
  }
  const [before, after] = [
    old.config && (await readDiffModel(old.config, old.side)),
    next.config && (await readDiffModel(next.config, next.side)),
  ];
  const apis = withEmptyCounterpart(before?.api, after?.api);
  const found = compareDescriptions(...apis);
  const reported = found.map((each) =>
    locateDifference(each, each.side === "old" ? { ...old, ...before } : { ...next, ...after }),
  );
  const places = search.code.length === 0 ? [] : await findPlaces(found, { old: apis[0], next: apis[1] }, search);
  const packages = config.artifacts.flatMap((artifact) => {
    const known = readPackage(artifact);
    const bump = known && computeBump(known, found);
    return known === undefined || bump === undefined ? [] : [{ ...known, bump }];
  });
  const impacts = places.map((each, index) => ({ difference: reported[index], places: each }));
  return { differences: reported, packages, impacts: impacts.filter(hasDifference) };
}

function hasDifference(impact: {
  readonly difference: ReportedDifference | undefined;
  readonly places: readonly CodePlace[];
}): impact is CodeImpact {
  return impact.difference !== undefined;
}

/** The places in code for each difference, with paths relative to the current folder. */
async function findPlaces(
  differences: readonly Difference[],
  apis: { readonly old: Api; readonly next: Api },
  { code, from }: CodeSearch,
): Promise<readonly (readonly CodePlace[])[]> {
  const { findImpact } = await loadImpact();
  return findImpact({ ...apis, differences, code }).map(({ places }) =>
    places.map((place) => ({ ...place, file: path.relative(from, place.file).replaceAll(path.sep, "/") })),
  );
}

async function loadImpact(): Promise<typeof import("@plumbline/codemods/impact")> {
  try {
    return await import("@plumbline/codemods/impact");
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(
      "--code requires the package @plumbline/codemods. Install it: npm install --save-dev @plumbline/codemods",
    );
  }
}

/** Replaces a missing description by an empty one: everything in the other is added or removed. */
function withEmptyCounterpart(old: Api | undefined, next: Api | undefined): [old: Api, next: Api] {
  const known = next ?? old;
  if (known === undefined) throw new Error("Both descriptions are missing");
  const empty: Api = {
    ...known,
    operations: [],
    operationsWithoutPath: [],
    schemas: [],
    resources: [],
    stateMachines: [],
    errors: [],
  };
  return [old ?? empty, next ?? empty];
}

function locateDifference(
  difference: Difference,
  { side, description }: { readonly side: DiffInput; readonly description?: Description },
): ReportedDifference {
  const { origin } = difference;
  const { line, column } = description?.locate(origin) ?? { line: 1, column: 1 };
  const file = side.displayPath(path.join(description?.folder ?? side.folder, origin.file));
  return { ...difference, origin: { file, line, column, pointer: origin.pointer } };
}

/** A package with its current version; undefined where plumbline.yaml sets no name. */
function readPackage({
  kind,
  package: name,
  out,
}: ArtifactConfig): { name: string; kind: string; version?: string } | undefined {
  if (name === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(readFileSync(path.join(out, "package.json"), "utf8"));
    const version =
      typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
    return { name, kind, ...(typeof version === "string" ? { version } : {}) };
  } catch {
    return { name, kind }; // not generated yet
  }
}
