import { readFileSync } from "node:fs";
import path from "node:path";
import { flag, string, UsageError } from "@plumbline/command-line";
import {
  compareDescriptions,
  computeBump,
  type Difference,
  type DiffReport,
  type ReportedDifference,
} from "@plumbline/kit/diff";
import type { Api } from "@plumbline/kit/model";
import { type Description, loadDescription } from "@plumbline/kit/openapi";
import type { ArtifactConfig, DescriptionConfig } from "../config/config.js";
import {
  DiffInputError,
  findSpec,
  hasSameFiles,
  openDiffInput,
  readDiffModel,
  type DiffInput,
} from "../diff-inputs.js";
import { descriptionOptions, type CommandIo } from "./command.js";

/** The options of commands that compare descriptions. */
export const revisionOptions: Pick<typeof descriptionOptions, "spec" | "allowOutside"> = {
  spec: string(
    "FILE",
    "the plumbline.yaml or description to read from a revision. Default: spec/plumbline.yaml of this folder or the nearest parent folder",
    "file",
  ),
  allowOutside: flag(`${descriptionOptions.allowOutside.help}. References of a revision never leave the revision`),
};

/** The descriptions to compare, as commands name them. */
export interface ComparedInputs {
  readonly oldName: string;
  readonly newName: string | undefined;
  readonly spec: string | undefined;
  readonly allowOutside: boolean;
}

/** A description in both versions. */
export interface DescriptionComparison {
  readonly old: Api;
  readonly next: Api;
  readonly differences: readonly Difference[];
  /** The same differences with their positions, in the same order. */
  readonly reported: readonly ReportedDifference[];
}

/** The differences of all descriptions. */
export interface InputComparison extends DiffReport {
  readonly descriptions: readonly DescriptionComparison[];
}

/** Compares two files, folders or git revisions. */
export async function compareInputs(
  { oldName, newName, spec, allowOutside }: ComparedInputs,
  { folder: from }: CommandIo,
): Promise<InputComparison> {
  const onDisk = await findSpec(spec ?? (await findSpec(newName, from)), from);
  const opened: DiffInput[] = [];
  try {
    const current = newName ?? onDisk;
    if (current === undefined)
      throw new DiffInputError("There is no spec/plumbline.yaml to compare with in this folder or its parents.");
    for (const input of [oldName, current])
      opened.push(await openDiffInput(input, { from, spec: onDisk, allowOutside }));
    const [old, next] = opened;
    return old === undefined || next === undefined ? noDifferences : await compare(old, next);
  } catch (error) {
    throw error instanceof DiffInputError ? new UsageError(error.message) : error;
  } finally {
    for (const side of opened) side.close();
  }
}

/** Matches descriptions by their path from plumbline.yaml. If both inputs have only one, these match whatever their names. */
async function compare(old: DiffInput, next: DiffInput): Promise<InputComparison> {
  const keyOf = ({ description }: DescriptionConfig, side: DiffInput): string =>
    path.relative(side.folder, description);
  const isAlone = old.config.descriptions.length === 1 && next.config.descriptions.length === 1;
  const before = new Map(old.config.descriptions.map((each) => [isAlone ? "" : keyOf(each, old), each] as const));
  const after = new Map(next.config.descriptions.map((each) => [isAlone ? "" : keyOf(each, next), each] as const));
  const outcomes: InputComparison[] = [];
  for (const key of new Set([...after.keys(), ...before.keys()]))
    outcomes.push(
      await compareDescription({ side: old, config: before.get(key) }, { side: next, config: after.get(key) }),
    );
  return {
    differences: outcomes.flatMap((each) => each.differences),
    packages: outcomes.flatMap((each) => each.packages),
    descriptions: outcomes.flatMap((each) => each.descriptions),
  };
}

const noDifferences: InputComparison = { differences: [], packages: [], descriptions: [] };

interface ConfiguredInput {
  readonly side: DiffInput;
  readonly config: DescriptionConfig | undefined;
}

async function compareDescription(old: ConfiguredInput, next: ConfiguredInput): Promise<InputComparison> {
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
  const differences = compareDescriptions(...apis);
  const reported = differences.map((each) =>
    locateDifference(each, each.side === "old" ? { ...old, ...before } : { ...next, ...after }),
  );
  const packages = config.artifacts.flatMap((artifact) => {
    const artifactPackage = readPackage(artifact);
    const bump = artifactPackage && computeBump(artifactPackage, differences);
    return artifactPackage === undefined || bump === undefined ? [] : [{ ...artifactPackage, bump }];
  });
  const [oldApi, nextApi] = apis;
  const description = { old: oldApi, next: nextApi, differences, reported };
  return { differences: reported, packages, descriptions: [description] };
}

/** Replaces a missing description by an empty one: everything in the other is added or removed. */
function withEmptyCounterpart(old: Api | undefined, next: Api | undefined): [old: Api, next: Api] {
  const existing = next ?? old;
  if (existing === undefined) throw new Error("Both descriptions are missing");
  const empty: Api = {
    ...existing,
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
