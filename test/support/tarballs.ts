import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { repository } from "./places.js";
import { npm } from "./run.js";

export interface Tarball {
  /** Absolute path. */
  readonly file: string;
  /** Where it is unpacked. */
  readonly folder: string;
}

/** Packs a built package as `npm publish` would, into a folder, and unpacks it there. */
export async function packed(name: string, into: string): Promise<Tarball> {
  const { out, error } = await npm(["pack", "--json", "--pack-destination", into], {
    in: path.join(repository, "packages", name),
  });
  const described: unknown = JSON.parse(out || "{}");
  // npm 11 lists what it packed; npm 12 keys it by package.
  const [report] = Object.values(described ?? {}) as readonly { readonly filename?: string }[];
  if (report?.filename === undefined) throw new Error(`npm packed nothing: ${error}`);
  const file = path.join(into, report.filename);
  const folder = path.join(into, name);
  await mkdir(folder);
  await promisify(execFile)("tar", ["-xzf", file, "-C", folder, "--strip-components=1"]);
  return { file, folder };
}
