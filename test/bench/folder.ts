import { copyFile, mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeBundled } from "./descriptions.js";
import { repository } from "./places.js";

/** Creates a folder with the measured programs, the description, and their imports. */
export async function makeFolder({ programs, packages }: Contents): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "plumbline-bench-")));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }\n');
  await writeBundled(path.join(folder, "description.json"));
  for (const each of programs) {
    const from = path.join(repository, "test", "bench", each);
    const files = path.extname(from) === "" ? (await readdir(from)).map((file) => path.join(from, file)) : [from];
    for (const file of files) await copyFile(file, path.join(folder, path.basename(file)));
  }
  for (const [name, target] of packages) {
    const link = path.join(folder, "node_modules", name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(target, link, "dir");
  }
  return folder;
}

export interface Contents {
  /** Programs, and folders of them, below `test/bench`. */
  readonly programs: readonly string[];
  /** Absolute paths of packages, by their names. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Absolute path of a package of this repository. */
export function ownPackage(name: string): string {
  return path.join(repository, "packages", name);
}
