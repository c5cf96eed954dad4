import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { outputOf } from "./run.mjs";

const changeset = createRequire(import.meta.url).resolve("@changesets/cli/bin.js");

/** The versions that changesets ask for: `{ name, type, oldVersion, newVersion }`, of what changes. */
export function plannedVersions(root) {
  const folder = mkdtempSync(path.join(tmpdir(), "release-"));
  try {
    const file = path.join(folder, "plan.json");
    outputOf([process.execPath, changeset, "status", `--output=${path.relative(root, file)}`], root);
    return JSON.parse(readFileSync(file, "utf8")).releases.filter(({ type }) => type !== "none");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives packages their versions and changelogs, and brings up to date what repeats a version: the lock file, and what is generated. */
export function applyVersions(root) {
  outputOf([process.execPath, changeset, "version"], root);
  outputOf(
    ["npm", "install", "--package-lock-only", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"],
    root,
  );
  outputOf(["npm", "run", "generate"], root);
}
