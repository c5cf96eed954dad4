import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { publicPackages } from "../release/manifests.mjs";
import { repository } from "./places.js";
import { npm } from "./run.js";

export interface Tarball {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  /** Where it is unpacked. */
  readonly folder: string;
}

/** What npm would pack of a built package. */
export interface Packed {
  readonly name: string;
  /** Absolute path of the folder that is packed. */
  readonly folder: string;
  /** Paths from there, in order. */
  readonly files: readonly string[];
}

interface Report {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** The packages that are published, by their names. */
export function publicNames(): readonly string[] {
  return [...publicFolders().keys()];
}

/** The absolute paths of the folders of published packages, by the names of the packages. */
export function publicFolders(): ReadonlyMap<string, string> {
  return new Map(publicPackages(repository).map(({ name, folder }) => [name, path.join(repository, folder)]));
}

/** Lists the files that `npm publish` would pack of built packages, without packing them. */
export async function listPacked(names: readonly string[]): Promise<readonly Packed[]> {
  const folders = publicFolders();
  const reports = await pack(names, ["--dry-run"]);
  return reports.map(({ name, files }) => ({
    name,
    folder: folders.get(name) ?? "",
    files: files.map((file) => file.path).toSorted(),
  }));
}

/** Packs built packages as `npm publish` would, into a folder, and unpacks them there. */
export async function packedAll(names: readonly string[], into: string): Promise<readonly Tarball[]> {
  const reports = await pack(names, ["--pack-destination", into]);
  return Promise.all(
    reports.map(async ({ name, filename }) => {
      const file = path.join(into, filename);
      const folder = path.join(into, name);
      await mkdir(folder, { recursive: true });
      await promisify(execFile)("tar", ["-xzf", file, "-C", folder, "--strip-components=1"]);
      return { name, file, folder };
    }),
  );
}

async function pack(names: readonly string[], options: readonly string[]): Promise<readonly Report[]> {
  const args = ["pack", "--json", ...options, ...names.flatMap((name) => ["--workspace", name])];
  const { code, out, error } = await npm(args, { in: repository });
  if (code !== 0) throw new Error(`npm packed nothing: ${error}`);
  // npm 11 prints a list of packed packages; npm 12 an object by package.
  return Object.values(JSON.parse(out) as Readonly<Record<string, Report>>);
}
