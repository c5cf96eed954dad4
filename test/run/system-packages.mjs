import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./workspaces.mjs";

/**
 * A program that some tests compare with, the package of Debian that has it, and what those tests prove.
 *
 * @typedef {{ readonly packageName: string, readonly program: string, readonly proof: string }} SystemPackage
 */

/** @returns {readonly SystemPackage[]} */
export function systemPackages() {
  const lines = readFileSync(path.join(root, "test", "system-packages.txt"), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [packageName = "", program = "", ...proof] = line.split(" ");
    return { packageName, program, proof: proof.join(" ") };
  });
}

/**
 * What a run leaves out because the machine lacks programs, and how to get them.
 *
 * @param {readonly SystemPackage[]} packages
 * @param {readonly string[]} folders where programs are
 * @returns {string | undefined} undefined where all programs are there
 */
export function formatMissing(packages, folders) {
  const missing = packages.filter(({ program }) => !folders.some((folder) => existsSync(path.join(folder, program))));
  if (missing.length === 0) return undefined;
  const left = missing.map(({ program, proof }) => `  ${program}: ${proof}`);
  const install = `apt-get install ${missing.map(({ packageName }) => packageName).join(" ")}`;
  return [
    "Left out, because these programs of Debian are not installed:",
    ...left,
    `To run these proofs too: ${install}`,
  ].join("\n");
}
