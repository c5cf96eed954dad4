import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { repository } from "./places.js";
import { npm } from "./run.js";
import { readTracked, trackedFiles } from "./tracked.js";

export interface Tarball {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  /** Where it is unpacked. */
  readonly folder: string;
  /** Bytes of the tarball, and of the files in it. */
  readonly bytes: { readonly packed: number; readonly unpacked: number };
}

interface Report {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
}

/** The packages that are published, by their names. */
export function publicNames(): readonly string[] {
  const manifests = trackedFiles().filter((file) => /^(generators|packages\/[^/]+)\/package\.json$/.test(file));
  const read = manifests.map(
    (file) => JSON.parse(readTracked(file)) as { readonly name: string; readonly private?: true },
  );
  return read.filter((each) => each.private !== true).map((each) => each.name);
}

/** Packs built packages as `npm publish` would, into a folder, and unpacks them there. */
export async function packedAll(names: readonly string[], into: string): Promise<readonly Tarball[]> {
  const args = ["pack", "--json", "--pack-destination", into, ...names.flatMap((name) => ["--workspace", name])];
  const { code, out, error } = await npm(args, { in: repository });
  if (code !== 0) throw new Error(`npm packed nothing: ${error}`);
  // npm 11 lists what it packed; npm 12 keys it by package.
  const reports = Object.values(JSON.parse(out) as Readonly<Record<string, Report>>);
  return Promise.all(
    reports.map(async ({ name, filename, size, unpackedSize }) => {
      const file = path.join(into, filename);
      const folder = path.join(into, name);
      await mkdir(folder, { recursive: true });
      await promisify(execFile)("tar", ["-xzf", file, "-C", folder, "--strip-components=1"]);
      return { name, file, folder, bytes: { packed: size, unpacked: unpackedSize } };
    }),
  );
}
