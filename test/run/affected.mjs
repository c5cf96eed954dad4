import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { proofs } from "./proofs.mjs";
import { packageFolders, root } from "./workspaces.mjs";

/**
 * A test file with a long form, from the top, with its minutes.
 *
 * @typedef {{ readonly file: string, readonly minutes: number }} Proof
 */

/**
 * Chooses the proofs that the last commit calls for: those that it changed, that import a file which it changed, or that are listed with its
 * place.
 *
 * @param {number} minutes the limit of all of them together
 * @returns {{ chosen: readonly Proof[], left: readonly Proof[] } | undefined} undefined without an earlier commit to compare with
 */
export function chooseProofs(minutes) {
  const changed = changedFiles();
  if (changed === undefined) return undefined;
  const candidates = Object.entries(proofs)
    .filter(([file, [, ...places]]) => isAffected({ file, places }, changed))
    .map(([file, [each]]) => ({ file, minutes: each }));
  return fit(candidates, { minutes, isFirst: ({ file }) => changed.includes(file) });
}

/**
 * @param {{ readonly file: string, readonly places: readonly string[] }} proof
 * @param {readonly string[]} changed
 */
export function isAffected({ file, places }, changed) {
  const all = [...places, ...placesThatItImports(file)];
  return changed.some((name) => all.some((place) => name === place || name.startsWith(`${place}/`)));
}

/**
 * The files that a test imports, directly or through others, itself included, and the sources of each package that one of them imports by name.
 *
 * @param {string} test from the top
 * @returns {ReadonlySet<string>}
 */
function placesThatItImports(test) {
  const places = new Set([test]);
  for (const file of places) {
    if (!/\.m?[jt]s$/.test(file)) continue;
    const text = readFileSync(path.join(root, file), "utf8");
    for (const [, specifier = ""] of text.matchAll(/(?:\bfrom|\bimport\(?)\s*"([^"]+)"/g)) {
      const place = specifier.startsWith(".") ? sourceOf(file, specifier) : folderOf(specifier);
      if (place !== undefined) places.add(place);
    }
  }
  return places;
}

/**
 * @param {string} file
 * @param {string} specifier
 */
function sourceOf(file, specifier) {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  return [target, target.replace(/\.js$/, ".ts")].find(
    (each) => /\.\w+$/.test(each) && existsSync(path.join(root, each)),
  );
}

/** @param {string} specifier */
function folderOf(specifier) {
  const parts = specifier.split("/");
  const [name, room] = specifier.startsWith("@") ? [parts.slice(0, 2).join("/"), parts[2]] : parts;
  const folder = packageFolders.get(name ?? "");
  if (folder === undefined) return undefined;
  // The entry point of a room builds on the rooms that it imports, which its tests prove.
  const ofRoom = `${folder}/src/${room}`;
  return room !== undefined && existsSync(path.join(root, ofRoom)) ? ofRoom : `${folder}/src`;
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

/** The files that the last commit changed, from the top; undefined without an earlier commit. */
function changedFiles() {
  try {
    git("rev-parse", "--verify", "--quiet", "HEAD^1");
  } catch {
    return undefined;
  }
  return git("diff", "--name-only", "HEAD^1", "HEAD")
    .split("\n")
    .filter((file) => file !== "");
}

/** @param {readonly string[]} args */
function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
