import path from "node:path";
import { readFileSync } from "node:fs";
import { ReleaseError, outputOf } from "./run.mjs";

/** Throws where what would be released is not what is committed, or not of the branch that is released from. */
export async function checkTree(root) {
  const { baseBranch } = JSON.parse(readFileSync(path.join(root, ".changeset", "config.json"), "utf8"));
  const branch = (await outputOf(["git", "rev-parse", "--abbrev-ref", "HEAD"], root)).trim();
  if (branch !== baseBranch)
    throw new ReleaseError(`This is ${branch}; releases are made of ${baseBranch}.`, `git switch ${baseBranch}`);
  const changes = (await outputOf(["git", "status", "--porcelain", "--untracked-files=normal"], root)).trimEnd();
  if (changes !== "")
    throw new ReleaseError(
      `There are changes that are not committed:\n${changes}`,
      "Commit them; or, after a release that was interrupted, take them back: git reset --hard && git clean -d --force",
    );
}

/** Commits everything, with what was done as its message. */
export async function commit(root, message) {
  await outputOf(["git", "add", "--all"], root);
  await outputOf(["git", "commit", "--quiet", "--message", message], root);
}

/**
 * The address that others know this repository by, as `package.json` has it. Undefined where its origin is only a folder. Names and passwords in
 * the address are left out.
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
