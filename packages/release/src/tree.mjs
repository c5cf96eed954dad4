import path from "node:path";
import { readFileSync } from "node:fs";
import { ReleaseError, outputOf } from "./run.mjs";

/** Throws for uncommitted changes, and on any branch but the release branch. */
export async function checkTree(root) {
  const { baseBranch } = JSON.parse(readFileSync(path.join(root, ".changeset", "config.json"), "utf8"));
  const branch = (await outputOf(["git", "rev-parse", "--abbrev-ref", "HEAD"], root)).trim();
  if (branch !== baseBranch)
    throw new ReleaseError(`The branch is ${branch}; releases require ${baseBranch}.`, `git switch ${baseBranch}`);
  const changes = (await outputOf(["git", "status", "--porcelain", "--untracked-files=normal"], root)).trimEnd();
  if (changes !== "")
    throw new ReleaseError(
      `There are uncommitted changes:\n${changes}`,
      "Commit them. After an interrupted release, discard them: git reset --hard && git clean -d --force",
    );
}

/** Commits everything. */
export async function commit(root, message) {
  await outputOf(["git", "add", "--all"], root);
  await outputOf(["git", "commit", "--quiet", "--message", message], root);
}

/**
 * The public address of the repository, in the format of `package.json`, without user names and passwords. Undefined where the origin is a
 * folder.
 */
export async function repositoryAddress(root) {
  const origin = (await outputOf(["git", "config", "--default", "", "--get", "remote.origin.url"], root)).trim();
  const [, host, rest] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/]+)\/(.+?)\/?$/.exec(origin) ??
    /^(?:[^@/]+@)?([\w.-]{2,}):(?!\/\/)(.+)$/.exec(origin) ??
    [];
  if (host === undefined || rest === undefined) return undefined;
  return `git+https://${host}/${rest.replace(/(\.git)?$/, ".git")}`;
}
