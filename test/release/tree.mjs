import { readFileSync } from "node:fs";
import path from "node:path";
import { ReleaseError, outputOf } from "./programs.mjs";

/**
 * Throws for uncommitted changes, and on any branch but the release branch.
 *
 * @param {string} root
 */
export function checkTree(root) {
  const { baseBranch } = JSON.parse(readFileSync(path.join(root, ".changeset", "config.json"), "utf8"));
  const branch = outputOf(["git", "rev-parse", "--abbrev-ref", "HEAD"], root).trim();
  if (branch !== baseBranch)
    throw new ReleaseError(`The branch is ${branch}; releases require ${baseBranch}.`, `git switch ${baseBranch}`);
  const changes = uncommittedChanges(root);
  if (changes !== "")
    throw new ReleaseError(
      `There are uncommitted changes:\n${changes}`,
      "Commit them. After an interrupted release, discard them: git reset --hard && git clean -d --force",
    );
}

/** @param {string} root */
export function isClean(root) {
  return uncommittedChanges(root) === "";
}

/**
 * The public address of the repository, in the format of `package.json`, without user names and passwords. Undefined where the origin is a
 * folder.
 *
 * @param {string} root
 */
export function repositoryAddress(root) {
  const origin = outputOf(["git", "config", "--default", "", "--get", "remote.origin.url"], root).trim();
  const [, host, rest] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/]+)\/(.+?)\/?$/.exec(origin) ??
    /^(?:[^@/]+@)?([\w.-]{2,}):(?!\/\/)(.+)$/.exec(origin) ??
    [];
  if (host === undefined || rest === undefined) return undefined;
  return `git+https://${host}/${rest.replace(/(\.git)?$/, ".git")}`;
}

/** @param {string} root */
function uncommittedChanges(root) {
  return outputOf(["git", "status", "--porcelain", "--untracked-files=normal"], root).trimEnd();
}
