import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The YAML and JSON files of a git revision, in a temporary folder. */
export interface Revision {
  /** Absolute path of the folder that has the root of the repository. */
  readonly folder: string;
  /** The path from the root of the repository to the folder `from`; empty at the root, else with a slash at the end. */
  readonly prefix: string;
  /** Removes the files. */
  readonly cleanUp: () => void;
}

/** The revision does not exist. The message is the end of a sentence. */
export class RevisionError extends Error {
  override readonly name = "RevisionError";
}

/**
 * Writes the YAML and JSON files of a revision to a temporary folder; work tree, index and branches stay unchanged. `remove` deletes the
 * folder, and so does a signal that ends the process.
 *
 * @throws RevisionError outside a repository, and for an unknown revision.
 */
export function checkOutRevision(revision: string, from: string): Revision {
  const prefix = runGit(["rev-parse", "--show-prefix"], {
    in: from,
    failureMessage: "this is not a git repository",
  }).replace(/\n$/, "");
  const top = runGit(["rev-parse", "--show-toplevel"], {
    in: from,
    failureMessage: "this repository has no work tree",
  }).replace(/\n$/, "");
  const commit = runGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`], {
    in: from,
    failureMessage: "there is no such revision in this repository",
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
    runGit(["read-tree", commit], { in: top, failureMessage: otherwise, env: index });
    const files = runGit(["ls-files", "-z", "--", "*.yaml", "*.yml", "*.json"], {
      in: top,
      failureMessage: otherwise,
      env: index,
    });
    const write = ["checkout-index", "-q", "-z", "--stdin", `--prefix=${folder}${path.sep}`];
    runGit(write, { in: top, failureMessage: otherwise, env: index, input: files });
    return { folder, prefix, cleanUp: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Variables that git sets for its hooks. They would select the repository of the hook instead of that of the files. */
const unsetEnvironment = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_PREFIX: undefined };

interface GitOptions {
  readonly in: string;
  /** The message of the RevisionError when git fails. */
  readonly failureMessage: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

function runGit(args: readonly string[], { in: cwd, failureMessage, env, input }: GitOptions): string {
  try {
    return execFileSync("git", args, {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...unsetEnvironment, ...env },
      maxBuffer: 2 ** 28,
      stdio: ["pipe", "pipe", "ignore"],
      ...(input === undefined ? {} : { input }),
    });
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new RevisionError(isMissing ? "git cannot be run" : failureMessage, { cause: error });
  }
}
