import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type Api, DiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import { buildApi, ensureInside, loadDescription, type Description } from "@plumbline/kit/openapi";
import { lint } from "@plumbline/kit/openapi/lint";
import { artifactKinds, usualArtifacts } from "./artifact-kinds.js";
import { findConfig, readConfig, type Config, type DescriptionConfig } from "./config/config.js";
import { isStackOverflow } from "./generate/guarded-call.js";
import { RevisionError, checkOutRevision } from "./git-revision.js";
import { diagnoseStackOverflow } from "./pipeline.js";

/** One input of a comparison: its descriptions, and how to print their paths. */
export interface DiffInput {
  readonly config: Config;
  /** The folder of the plumbline.yaml or the description. */
  readonly folder: string;
  /** Formats the path of a file for the user, such as `main:spec/openapi.yaml`. */
  readonly displayPath: (file: string) => string;
  /** Removes the temporary files of the input. */
  readonly close: () => void;
}

/** The input of a comparison is missing or invalid. */
export class DiffInputError extends Error {
  override readonly name = "DiffInputError";
}

export interface DiffInputOptions {
  /** Absolute path of the folder that paths are relative to. */
  readonly from: string;
  /** Absolute path of the plumbline.yaml or description of the working tree. */
  readonly spec: string | undefined;
  /** Whether references may leave their folder. References of a revision never leave the revision. */
  readonly allowOutside: boolean;
}

/**
 * Opens an input: a description, a plumbline.yaml, a folder with one, or a git revision. A revision without a path means the file of `spec` in it.
 *
 * @throws DiffInputError for any other input, and DiagnosticsError for an invalid configuration.
 */
export async function openDiffInput(input: string, { from, spec, allowOutside }: DiffInputOptions): Promise<DiffInput> {
  if (existsFrom(input, from)) {
    const absolute = path.resolve(from, input);
    const displayPath = (file: string): string => toForwardSlashes(path.relative(from, file));
    const file = findDescriptionFile(absolute);
    if (file === undefined) throw new DiffInputError(`There is no plumbline.yaml in ${input}.`);
    const config = await readConfig({
      spec: file,
      out: undefined,
      from,
      artifactKinds,
      artifacts: usualArtifacts,
      allowOutside,
    });
    return { config, folder: path.dirname(file), displayPath, close: () => undefined };
  }
  const [revision, pathInRevision] = parseRevision(input);
  const base = spec === undefined ? from : path.dirname(spec);
  const { folder, prefix, cleanUp } = checkOutOrThrow(input, revision, base);
  try {
    const displayPath = (file: string): string => `${revision}:${toForwardSlashes(path.relative(folder, file))}`;
    const name =
      pathInRevision === undefined
        ? spec && `${prefix}${path.basename(spec)}`
        : toRevisionPath(pathInRevision, path.join(prefix, path.relative(base, from)));
    const file = name === undefined ? findDescriptionFile(folder) : findDescriptionFile(path.join(folder, name));
    if (file === undefined) throw new DiffInputError(`There is no ${name ?? "plumbline.yaml"} in ${revision}.`);
    await ensureInRevision([file], folder, revision);
    const config = await readConfig({
      spec: file,
      out: undefined,
      from: folder,
      artifactKinds,
      artifacts: usualArtifacts,
      allowOutside,
      top: folder,
    });
    await ensureInRevision(
      config.descriptions.flatMap(({ description, overlays }) => [description, ...overlays]),
      folder,
      revision,
    );
    return { config, folder: path.dirname(file), displayPath, close: cleanUp };
  } catch (error) {
    cleanUp();
    throw error;
  }
}

/** As in git, a path that begins with a dot is relative to the current folder; others are relative to the top of the repository. */
function toRevisionPath(file: string, currentFolder: string): string {
  return toForwardSlashes(isRelative(file) ? path.join(currentFolder, file) : file);
}

/** The plumbline.yaml or description of the working tree: the given one, or the nearest one. */
export async function findSpec(input: string | undefined, from: string): Promise<string | undefined> {
  if (input !== undefined) return existsFrom(input, from) ? findDescriptionFile(path.resolve(from, input)) : undefined;
  const config = await findConfig(from);
  return config === undefined ? undefined : findDescriptionFile(config);
}

/** Reads the model of a description without linting it. If that fails, the linter provides the diagnostics. */
export async function readDiffModel(
  config: DescriptionConfig,
  { displayPath }: DiffInput,
): Promise<{ readonly api: Api; readonly description: Description }> {
  try {
    const description = await loadDescription(config.description, config.overlays, config.boundary);
    const { names, nestedArrays, keywords } = config;
    // With the ruleset for third parties: errors in names do not prevent a comparison.
    return {
      api: buildApi(description, { names, nestedArrays, keywords, requirements: undefined, ruleset: "minimal" }),
      description,
    };
  } catch (error) {
    const diagnostics = await collectDiagnostics(error, config);
    if (diagnostics.length === 0) throw error;
    throw new DiagnosticsError(
      diagnostics.map((each) => relocateToInput(each, path.dirname(config.description), displayPath)),
    );
  }
}

/** Whether all files of two descriptions are equal byte for byte. False where either has overlays. */
export function hasSameFiles({ files, overlays }: Description, other: DescriptionConfig): boolean {
  if (overlays.length + other.overlays.length > 0) return false;
  return files.every(({ name, text }, index) => {
    const file = index === 0 ? other.description : path.resolve(path.dirname(other.description), name);
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file, "utf8") === text;
  });
}

/** The diagnostics of a description that the model rejects. */
async function collectDiagnostics(error: unknown, config: DescriptionConfig): Promise<readonly Diagnostic[]> {
  if (error instanceof DiagnosticsError) return error.diagnostics;
  if (isStackOverflow(error)) return diagnoseStackOverflow(error, config);
  const { description, overlays, boundary } = config;
  return (await lint(description, { ruleset: "minimal", overlays, boundary })).filter(
    ({ severity }) => severity === "error",
  );
}

function relocateToInput(diagnostic: Diagnostic, folder: string, show: DiffInput["displayPath"]): Diagnostic {
  return { ...diagnostic, origin: { ...diagnostic.origin, file: show(path.join(folder, diagnostic.origin.file)) } };
}

/** Ensures that files are in the revision: they may be links, or lead out of the repository. */
async function ensureInRevision(files: readonly string[], folder: string, revision: string): Promise<void> {
  for (const file of files) {
    const name = toForwardSlashes(path.relative(folder, file));
    await ensureInside(file, [folder], folder).catch(() => {
      throw new DiffInputError(`${name} is outside of the revision ${revision}. Name a file of the repository.`);
    });
  }
}

/** Whether a file or folder exists. It checks the unresolved path: resolving `main:..` would give an existing folder. */
function existsFrom(input: string, from: string): boolean {
  return existsSync(path.isAbsolute(input) ? input : `${from}${path.sep}${input}`);
}

/** Splits `main:spec/openapi.yaml` into revision and file. Colons in braces belong to the revision, as in `main@{2026-01-31 10:00}`. */
function parseRevision(input: string): readonly [revision: string, inside?: string] {
  const [, revision, inside] = /^((?:[^:{]|\{[^}]*\})+):(.*)$/s.exec(input) ?? [];
  return revision === undefined || inside === undefined ? [input] : [revision, inside];
}

/** Whether a path of a revision is relative to the current folder, as in git. */
function isRelative(inside: string): boolean {
  return /^\.\.?\//.test(inside);
}

function checkOutOrThrow(input: string, revision: string, base: string): ReturnType<typeof checkOutRevision> {
  try {
    return checkOutRevision(revision, base);
  } catch (error) {
    if (!(error instanceof RevisionError)) throw error;
    throw new DiffInputError(`"${input}" is neither a file or folder nor a git revision: ${error.message}.`, {
      cause: error,
    });
  }
}

/** The file itself, or the plumbline.yaml of a folder. */
function findDescriptionFile(there: string): string | undefined {
  const status = statSync(there, { throwIfNoEntry: false });
  if (status === undefined || !status.isDirectory()) return status && there;
  const names = ["plumbline.yaml", path.join("spec", "plumbline.yaml")];
  return names.map((name) => path.join(there, name)).find((file) => existsSync(file));
}

function toForwardSlashes(file: string): string {
  return file.split(path.sep).join("/");
}
