import { execFileSync } from "node:child_process";
import path from "node:path";
import { proofs } from "./proofs.mjs";
import { root, workspaces } from "./workspaces.mjs";

/**
 * A test file with a long form.
 *
 * @typedef {{ readonly workspace: import("./workspaces.mjs").Workspace, readonly file: string, readonly minutes: number }} Proof
 */

/**
 * Chooses the proofs that the last commit calls for: those of the workspaces that it changed, and of the workspaces that depend on them.
 *
 * @param {number} minutes the limit of all of them together
 * @returns {{ chosen: readonly Proof[], left: readonly Proof[] } | undefined} undefined without an earlier commit to compare with
 */
export function chooseProofs(minutes) {
  if (!hasParent()) return undefined;
  const affected = affectedPackages();
  const changed = changedFolders();
  const candidates = workspaces
    .filter(({ name }) => affected.has(name))
    .flatMap((workspace) =>
      Object.entries(proofs[workspace.folder] ?? {}).map(([file, each]) => ({ workspace, file, minutes: each })),
    );
  return fit(candidates, { minutes, isFirst: ({ workspace }) => changed.has(workspace.folder) });
}

/**
 * Chooses as many as fit: `isFirst` ones before all others, and the shortest first.
 *
 * @template {{ readonly minutes: number }} T
 * @param {readonly T[]} candidates
 * @param {{ minutes: number, isFirst: (candidate: T) => boolean }} options
 * @returns {{ chosen: readonly T[], left: readonly T[] }}
 */
export function fit(candidates, { minutes, isFirst }) {
  const ordered = [...candidates].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || a.minutes - b.minutes);
  /** @type {T[]} */
  const chosen = [];
  /** @type {T[]} */
  const left = [];
  let rest = minutes;
  for (const candidate of ordered) {
    (candidate.minutes > rest ? left : chosen).push(candidate);
    if (candidate.minutes <= rest) rest -= candidate.minutes;
  }
  return { chosen, left };
}

function hasParent() {
  try {
    git("rev-parse", "--verify", "--quiet", "HEAD^1");
    return true;
  } catch {
    return false;
  }
}

/** The packages that turbo finds affected by the last commit. */
function affectedPackages() {
  const turbo = path.join(root, "node_modules", ".bin", "turbo");
  const env = { ...process.env, TURBO_SCM_BASE: "HEAD^1", TURBO_SCM_HEAD: "HEAD", TURBO_TELEMETRY_DISABLED: "1" };
  const text = execFileSync(turbo, ["run", "test:full", "--affected", "--dry=json"], {
    cwd: root,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28, // bytes
  });
  const { tasks } = /** @type {{ tasks: { task: string, package: string }[] }} */ (
    JSON.parse(text.slice(text.indexOf("{")))
  );
  return new Set(tasks.filter(({ task }) => task === "test:full").map((each) => each.package));
}

/** The folders of workspaces, and other entries at the top, that the last commit changed. */
function changedFolders() {
  const files = git("diff", "--name-only", "HEAD^1", "HEAD").split("\n");
  return new Set(files.map((file) => file.split("/", file.startsWith("packages/") ? 2 : 1).join("/")));
}

/** @param {readonly string[]} args */
function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
