import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { outputOf } from "./programs.mjs";

const folder = path.join(import.meta.dirname, "changesets");
const installed = path.join(folder, "node_modules", "@changesets", "cli");

/** Returns the program of Changesets. Installs it first, if it is missing or has another version. */
export function changesetsProgram() {
  const wanted = read(path.join(folder, "package.json")).dependencies?.["@changesets/cli"];
  const manifest = path.join(installed, "package.json");
  if (!existsSync(manifest) || read(manifest).version !== wanted)
    outputOf(["npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], folder);
  return path.join(installed, "bin.js");
}

/**
 * @param {string} file
 * @returns {{ version?: string, dependencies?: Record<string, string> }}
 */
function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
