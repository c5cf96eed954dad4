import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { findConfig, readConfig, type Config, type DescriptionConfig } from "./config.js";
import { tooDeep } from "./generate.js";
import { kinds } from "./kinds.js";
import type { Api } from "./model/api.js";
import { buildApi } from "./model/build.js";
import { ProblemError, type Problem } from "./problem.js";
import { ensureInside } from "./spec/boundary.js";
import { RevisionError, checkOut } from "./revisions.js";
import { lint } from "./spec/lint.js";
import { load, type Description } from "./spec/load.js";

/** One of two things that are compared: descriptions, and what they are called. */
export interface Side {
  readonly config: Config;
  /** The folder of what names the descriptions. */
  readonly folder: string;
  /** A file of it as the one who asks would name it, such as `main:spec/openapi.yaml`. */
  readonly show: (file: string) => string;
  /** Takes away what was written for it. */
  readonly close: () => void;
}

/** Why there is nothing to compare, a sentence. */
export class SideError extends Error {}

export interface Opening {
  /** Absolute path of the folder that names count from. */
  readonly from: string;
  readonly spec: string | undefined;
  /** Whether references may leave their folder; those of a revision stay inside of it all the same. */
  readonly allowOutside: boolean;
}

/**
 * Finds what is to be compared: a description, a plumbline.yaml, a folder that has one, or a git revision, at which the file is that of
 * `spec`. Throws a SideError for what is none of these, and a ProblemError for a configuration that cannot be.
 */
export async function openSide(named: string, { from, spec, allowOutside }: Opening): Promise<Side> {
  if (isThere(named, from)) {
    const there = path.resolve(from, named);
    const show = (file: string): string => slashed(path.relative(from, file));
    const file = inFolder(there);
    if (file === undefined) throw new SideError(`There is no plumbline.yaml in ${named}.`);
    const config = await readConfig({ spec: file, out: undefined, from, kinds, allowOutside });
    return { config, folder: path.dirname(file), show, close: () => undefined };
  }
  const [revision, inside] = partsOf(named);
  const base = spec === undefined ? from : path.dirname(spec);
  const { folder, prefix, remove } = tryCheckOut(named, revision, base);
  try {
    const show = (file: string): string => `${revision}:${slashed(path.relative(folder, file))}`;
    const wanted =
      inside === undefined
        ? spec && `${prefix}${path.basename(spec)}`
        : slashed(isRelative(inside) ? path.join(prefix, path.relative(base, from), inside) : inside);
    const found = wanted === undefined ? inFolder(folder) : inFolder(path.join(folder, wanted));
    if (found === undefined) throw new SideError(`There is no ${wanted ?? "plumbline.yaml"} in ${revision}.`);
    await ensureInRevision([found], folder, revision);
    const config = await readConfig({ spec: found, out: undefined, from: folder, kinds, allowOutside, top: folder });
    await ensureInRevision(
      config.descriptions.flatMap(({ description, overlays }) => [description, ...overlays]),
      folder,
      revision,
    );
    return { config, folder: path.dirname(found), show, close: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Where the working tree says what is generated: what is named, or what is found from here upwards. */
export async function specOf(named: string | undefined, from: string): Promise<string | undefined> {
  if (named !== undefined) return isThere(named, from) ? inFolder(path.resolve(from, named)) : undefined;
  const found = await findConfig(from);
  return found === undefined ? undefined : inFolder(found);
}

/** Reads a description. It is not linted, but where it cannot be understood, lint says why. */
export async function readModel(
  config: DescriptionConfig,
  { show }: Side,
): Promise<{ readonly api: Api; readonly description: Description }> {
  try {
    const description = await load(config.description, config.overlays, config.boundary);
    return { api: buildApi(description, { names: config.names, requirements: undefined }), description };
  } catch (error) {
    const problems = await problemsOf(error, config);
    if (problems.length === 0) throw error;
    throw new ProblemError(problems.map((each) => relocated(each, path.dirname(config.description), show)));
  }
}

/** Whether a description and all of its files are, byte for byte, those of another that no overlay changes. */
export function isSame({ files, overlays }: Description, other: DescriptionConfig): boolean {
  if (overlays.length + other.overlays.length > 0) return false;
  return files.every(({ name, text }, index) => {
    const file = index === 0 ? other.description : path.resolve(path.dirname(other.description), name);
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file, "utf8") === text;
  });
}

/** What is wrong with a description that cannot be understood. */
async function problemsOf(error: unknown, config: DescriptionConfig): Promise<readonly Problem[]> {
  if (error instanceof ProblemError) return error.problems;
  if (error instanceof RangeError) return tooDeep(error, config);
  const { description, overlays, boundary } = config;
  return (await lint(description, { profile: "foreign", overlays, boundary })).filter(
    ({ severity }) => severity === "error",
  );
}

function relocated(problem: Problem, folder: string, show: Side["show"]): Problem {
  return { ...problem, origin: { ...problem.origin, file: show(path.join(folder, problem.origin.file)) } };
}

/** What a revision names has to be in it: its files may be links, or lead out of the repository. */
async function ensureInRevision(files: readonly string[], folder: string, revision: string): Promise<void> {
  for (const file of files) {
    const name = slashed(path.relative(folder, file));
    await ensureInside(file, [folder], folder).catch(() => {
      throw new SideError(`${name} is outside of the revision ${revision}. Name a file of the repository.`);
    });
  }
}

/** Asks the disk, and not the text: nothing is left of `main:..` in a path that is resolved, and no such folder is there. */
function isThere(named: string, from: string): boolean {
  return existsSync(path.isAbsolute(named) ? named : `${from}${path.sep}${named}`);
}

/** `main:spec/openapi.yaml` names a file of a revision; colons in braces belong to it, as in `main@{2026-01-31 10:00}`. */
function partsOf(named: string): readonly [revision: string, inside?: string] {
  const [, revision, inside] = /^((?:[^:{]|\{[^}]*\})+):(.*)$/s.exec(named) ?? [];
  return revision === undefined || inside === undefined ? [named] : [revision, inside];
}

/** As git has it: from the folder that it runs in. */
function isRelative(inside: string): boolean {
  return /^\.\.?\//.test(inside);
}

function tryCheckOut(named: string, revision: string, base: string): ReturnType<typeof checkOut> {
  try {
    return checkOut(revision, base);
  } catch (error) {
    if (!(error instanceof RevisionError)) throw error;
    throw new SideError(`"${named}" is no file and no folder here, and no git revision: ${error.message}.`, {
      cause: error,
    });
  }
}

/** The file itself, or the plumbline.yaml of a folder. */
function inFolder(there: string): string | undefined {
  const status = statSync(there, { throwIfNoEntry: false });
  if (status === undefined || !status.isDirectory()) return status && there;
  const names = ["plumbline.yaml", path.join("spec", "plumbline.yaml")];
  return names.map((name) => path.join(there, name)).find((file) => existsSync(file));
}

function slashed(file: string): string {
  return file.split(path.sep).join("/");
}
