import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  formatChangeset,
  computeBump,
  compareDescriptions,
  type Difference,
  formatDiffAsMarkdown,
  formatDiffAsJson,
  formatDiffAsText,
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
  type Command,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./command.js";

export const diffCommand: Command = {
  options: {
    spec: "file",
    [allowOutsideOption]: "flag",
    format: ["text", "json", "markdown", "changeset"],
    "fail-on": ["breaking", "any", "none"],
    out: "file",
  },
  positionals: 2,
  argument: "file",
  help: `plumbline diff OLD [NEW] [--format text|json|markdown|changeset] [--fail-on breaking|any|none] [--out FILE]

Compares two OpenAPI descriptions and reports what changed, whom it breaks, and why. It compares their meaning, not their text.

  OLD, NEW       a description, a plumbline.yaml, a folder with one, or a git revision such as main, v1.2, HEAD~1 or
                   main:spec/openapi.yaml. Default of NEW: the working tree
  --spec FILE    the plumbline.yaml or description to read from a revision. Default: spec/plumbline.yaml of this folder or the
                   nearest parent folder
  --format       output format: text, json, markdown (for pull requests), or changeset (a file for .changeset/ with the version
                   bump of each package in plumbline.yaml). Default: text
  --fail-on      differences that cause exit code 1: breaking, any or none. Default: breaking
  --out FILE     write the output to a file, and create its folder; without differences, no changeset is written.
                   Default: standard output
${allowOutsideHelp}.
                 References of a revision never leave the revision

Examples
  plumbline diff main
  plumbline diff v1.2.0 v1.3.0 --format markdown
  plumbline diff published.yaml openapi.yaml --fail-on none --format json
  plumbline diff main --fail-on none --format changeset --out .changeset/api.md
`,
  run: diff,
};

const formats = {
  text: formatDiffAsText,
  json: formatDiffAsJson,
  markdown: formatDiffAsMarkdown,
  changeset: formatChangeset,
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
  if (!isFormat(format))
    throw new UsageError(`"${format}" is not a valid format. Use ${Object.keys(formats).join(", ")}.`);
  if (failOn === undefined)
    throw new UsageError(
      `"${args.text("fail-on") ?? ""}" is not a valid value of --fail-on. Use ${Object.keys(failOnPredicates).join(", ")}.`,
    );
  const outcome = await compareInputs(
    { oldName, newName, spec: args.text("spec"), allowOutside: args.flag(allowOutsideOption) },
    io,
  );
  const isIdle = format === "changeset" && outcome.differences.length === 0;
  if (format === "changeset" && outcome.packages.length === 0 && !isIdle)
    throw new UsageError("A changeset requires package names. Set `package` in plumbline.yaml.");
  const out = args.text("out");
  if (isIdle) io.error.write("No differences: no changeset is needed.\n");
  else if (out === undefined) io.out.write(formats[format](outcome));
  else writeTo(path.resolve(io.folder, out), formats[format](outcome));
  return outcome.differences.some(failOn) ? 1 : 0;
}

/** Writes a file, and creates its folder. */
function writeTo(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function isFormat(format: string): format is keyof typeof formats {
  return Object.hasOwn(formats, format);
}

interface DiffArguments {
  readonly oldName: string;
  readonly newName: string | undefined;
  readonly spec: string | undefined;
  readonly allowOutside: boolean;
}

async function compareInputs(
  { oldName, newName, spec, allowOutside }: DiffArguments,
  { folder: from }: CommandIo,
): Promise<DiffReport> {
  const onDisk = await findSpec(spec ?? (await findSpec(newName, from)), from);
  const opened: DiffInput[] = [];
  try {
    const current = newName ?? onDisk;
    if (current === undefined)
      throw new DiffInputError("There is no spec/plumbline.yaml to compare with in this folder or its parents.");
    for (const named of [oldName, current])
      opened.push(await openDiffInput(named, { from, spec: onDisk, allowOutside }));
    const [old, next] = opened;
    return old === undefined || next === undefined ? { differences: [], packages: [] } : await compare(old, next);
  } catch (error) {
    throw error instanceof DiffInputError ? new UsageError(error.message) : error;
  } finally {
    for (const side of opened) side.close();
  }
}

/** Matches descriptions by their path from plumbline.yaml. If both inputs have only one, these match whatever their names. */
async function compare(old: DiffInput, next: DiffInput): Promise<DiffReport> {
  const keyOf = ({ description }: DescriptionConfig, side: DiffInput): string =>
    path.relative(side.folder, description);
  const isAlone = old.config.descriptions.length === 1 && next.config.descriptions.length === 1;
  const before = new Map(old.config.descriptions.map((each) => [isAlone ? "" : keyOf(each, old), each] as const));
  const after = new Map(next.config.descriptions.map((each) => [isAlone ? "" : keyOf(each, next), each] as const));
  const outcomes: DiffReport[] = [];
  for (const key of new Set([...after.keys(), ...before.keys()]))
    outcomes.push(
      await compareDescription({ side: old, config: before.get(key) }, { side: next, config: after.get(key) }),
    );
  return {
    differences: outcomes.flatMap((each) => each.differences),
    packages: outcomes.flatMap((each) => each.packages),
  };
}

interface ConfiguredInput {
  readonly side: DiffInput;
  readonly config: DescriptionConfig | undefined;
}

async function compareDescription(old: ConfiguredInput, next: ConfiguredInput): Promise<DiffReport> {
  const config = next.config ?? old.config;
  if (config === undefined) return { differences: [], packages: [] };
  const hasSameNames = JSON.stringify(old.config?.names) === JSON.stringify(next.config?.names);
  // Files that are equal byte for byte need not be parsed.
  if (old.config !== undefined && next.config !== undefined && hasSameNames) {
    const loaded = await loadDescription(next.config.description, next.config.overlays, next.config.boundary).catch(
      () => undefined,
    );
    if (loaded !== undefined && hasSameFiles(loaded, old.config)) return { differences: [], packages: [] };
  }
  const [before, after] = [
    old.config && (await readDiffModel(old.config, old.side)),
    next.config && (await readDiffModel(next.config, next.side)),
  ];
  const found = compareDescriptions(...withEmptyCounterpart(before?.api, after?.api));
  const reported = found.map((each) =>
    locateDifference(each, each.side === "old" ? { ...old, ...before } : { ...next, ...after }),
  );
  const packages = config.artifacts.flatMap((artifact) => {
    const known = readPackage(artifact);
    const bump = known && computeBump(known, found);
    return known === undefined || bump === undefined ? [] : [{ ...known, bump }];
  });
  return { differences: reported, packages };
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
