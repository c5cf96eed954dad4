import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The YAML and JSON files of a git revision, in a folder of their own. */
export interface Revision {
  /** Absolute path of what stands for the root of the repository. */
  readonly folder: string;
  /** Where in the repository the folder is from which it was asked for; empty at the root, else with a slash at the end. */
  readonly prefix: string;
  /** Takes the files away again. */
  readonly remove: () => void;
}

/** Why there is no such revision, a sentence. */
export class RevisionError extends Error {}

/**
 * Writes the YAML and JSON files of a revision to a temporary folder; work tree, index and branches stay as they are. The folder is gone
 * after `remove`, or when a signal ends the process before. Throws a RevisionError outside a repository, and for what is no revision.
 */
export function checkOut(revision: string, from: string): Revision {
  const prefix = git(["rev-parse", "--show-prefix"], { in: from, otherwise: "this is no git repository" }).replace(
    /\n$/,
    "",
  );
  const top = git(["rev-parse", "--show-toplevel"], {
    in: from,
    otherwise: "this repository has no work tree",
  }).replace(/\n$/, "");
  const commit = git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`], {
    in: from,
    otherwise: "there is no such revision in this repository",
  }).trim();
  const temporary = mkdtempSync(path.join(tmpdir(), "plumbline-diff-"));
  const ends = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const remove = (): void => {
    for (const signal of ends) process.off(signal, stop);
    rmSync(temporary, { recursive: true, force: true });
  };
  const stop = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal);
  };
  for (const signal of ends) process.on(signal, stop);
  try {
    const folder = path.join(temporary, "files");
    mkdirSync(folder);
    const index = { GIT_INDEX_FILE: path.join(temporary, "index") };
    const otherwise = "its files cannot be read";
    git(["read-tree", commit], { in: top, otherwise, env: index });
    const files = git(["ls-files", "-z", "--", "*.yaml", "*.yml", "*.json"], { in: top, otherwise, env: index });
    const write = ["checkout-index", "-q", "-z", "--stdin", `--prefix=${folder}${path.sep}`];
    git(write, { in: top, otherwise, env: index, input: files });
    return { folder, prefix, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What git says to its hooks: the repository is that of the files, and not the one which calls. */
const unsaid = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_PREFIX: undefined };

interface Running {
  readonly in: string;
  /** What it means that git fails. */
  readonly otherwise: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

function git(args: readonly string[], { in: cwd, otherwise, env, input }: Running): string {
  try {
    return execFileSync("git", args, {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...unsaid, ...env },
      maxBuffer: 2 ** 28,
      stdio: ["pipe", "pipe", "ignore"],
      ...(input === undefined ? {} : { input }),
    });
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new RevisionError(isMissing ? "git cannot be run" : otherwise, { cause: error });
  }
}
