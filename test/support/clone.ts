import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { repository } from "./places.js";
import { run } from "./run.js";
import { trackedFiles } from "./tracked.js";

/**
 * Makes a clone of this repository in a folder, as its files are now, all committed on `main`. What npm installed is shared; the workspaces among
 * of the clone itself, and nothing is built.
 */
export async function cloneInto(folder: string): Promise<void> {
  const tracked = trackedFiles();
  for (const name of new Set(tracked.map((file) => path.dirname(file))))
    await mkdir(path.join(folder, name), { recursive: true });
  await Promise.all(tracked.map((name) => cp(path.join(repository, name), path.join(folder, name))));
  const workspaces = tracked
    .filter((name) => /^[^/]+(\/[^/]+)?\/package\.json$/.test(name))
    .map((name) => path.dirname(name));
  for (const place of ["", ...workspaces]) await share(path.join(place, "node_modules"), folder);
  await git(folder, "init", "--quiet", "--initial-branch=main");
  await git(folder, "config", "user.name", "A clone");
  await git(folder, "config", "user.email", "clone@example.com");
  await commitAll(folder, "A clone");
}

export async function commitAll(folder: string, message: string): Promise<void> {
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", message);
}

/** What git prints. Throws where it fails. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { code, out, error } = await run("git", args, { in: folder });
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${error}`);
  return out.trimEnd();
}

/** A folder of packages whose entries link to those of the repository, and links between workspaces to the same paths here. */
async function share(packages: string, folder: string): Promise<void> {
  const from = path.join(repository, packages);
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter(({ name }) => !name.startsWith(".vite") && name !== ".cache")) {
    const to = path.join(folder, packages, entry.name);
    if (/^@(plumbline|cloud-compute)$/.test(entry.name)) await share(path.join(packages, entry.name), folder);
    else {
      await mkdir(path.dirname(to), { recursive: true });
      // Relative links resolve to the same paths here; other entries become links to the originals.
      await (entry.isSymbolicLink()
        ? cp(path.join(from, entry.name), to, { verbatimSymlinks: true })
        : symlink(path.join(from, entry.name), to));
    }
  }
}
