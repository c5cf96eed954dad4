import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { inTemporaryFolder, outputOf } from "./run.mjs";

const changeset = createRequire(import.meta.url).resolve("@changesets/cli/bin.js");

/** The version bumps of the changesets: `{ name, type, oldVersion, newVersion }` of each changed package. */
export async function plannedVersions(root) {
  return inTemporaryFolder(async (folder) => {
    const file = path.join(folder, "plan.json");
    await outputOf([process.execPath, changeset, "status", `--output=${path.relative(root, file)}`], root);
    return JSON.parse(readFileSync(file, "utf8")).releases.filter(({ type }) => type !== "none");
  });
}

/** Updates versions and changelogs, and then everything that repeats a version: the lock file and generated files. */
export async function applyVersions(root) {
  await outputOf([process.execPath, changeset, "version"], root);
  await outputOf(
    ["npm", "install", "--package-lock-only", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"],
    root,
  );
  await outputOf(["npm", "run", "generate"], root);
}
