import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./workspaces.mjs";

/**
 * How long a run took, in seconds: by the clock, by the processor with all children (undefined where it cannot be measured), and each test file
 * by the clock.
 *
 * @typedef {{ readonly clock: number, readonly processor: number | undefined, readonly files: Readonly<Record<string, number>> }} Times
 */

/** The times of the last run of each form in this folder. Git ignores the file. */
const times = path.join(root, "test", "reports", "times.json");

/** @returns {Readonly<Record<string, Times>>} */
function readTimes() {
  return existsSync(times) ? JSON.parse(readFileSync(times, "utf8")) : {};
}

/**
 * Returns the times of the last run of a form, and keeps those of this run in their place.
 *
 * @param {string} form
 * @param {Times} now
 * @returns {Times | undefined} undefined for the first run
 */
export function replaceTimes(form, now) {
  const all = readTimes();
  mkdirSync(path.dirname(times), { recursive: true });
  writeFileSync(times, JSON.stringify({ ...all, [form]: now }));
  return all[form];
}

/**
 * Formats a run's minutes and its ten slowest files, each beside the last run. Times are reported, and never decide: machines differ.
 *
 * @param {Times} now
 * @param {Times} [last]
 */
export function formatTimes(now, last) {
  const slowest = Object.entries(now.files)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([file, seconds]) => {
      const before = last?.files[file];
      return `${seconds.toFixed(1).padStart(7)} s  ${file}${before === undefined ? "" : ` (last run: ${before.toFixed(1)} s)`}`;
    });
  const before = last === undefined ? "" : ` (last run here: ${formatMinutes(last)})`;
  return [
    ...(slowest.length === 0 ? [] : ["== the slowest test files", ...slowest, ""]),
    formatMinutes(now) + before,
  ].join("\n");
}

/** @param {Times} times */
function formatMinutes({ clock, processor }) {
  const minutes = (/** @type {number} */ seconds) => (seconds / 60).toFixed(1);
  return `${minutes(clock)} min${processor === undefined ? "" : `, ${minutes(processor)} min of processor time`}`;
}
