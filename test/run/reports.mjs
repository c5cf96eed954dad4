import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

/**
 * A run's counts, of steps and of tests.
 *
 * @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number, readonly tests: number }} Counts
 */

/** @type {Counts} */
export const noCounts = Object.freeze({ passed: 0, failed: 0, skipped: 0, tests: 0 });

/**
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export function sumCounts(all) {
  const sum = (/** @type {keyof Counts} */ key) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped"), tests: sum("tests") };
}

/**
 * The line that a run ends with.
 *
 * @param {Pick<Counts, "passed" | "failed" | "skipped">} counts
 */
export function formatCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** @param {readonly string[]} folders absolute paths of workspaces */
export function removeReports(folders) {
  for (const file of folders.flatMap((folder) => [reportOf(folder), errorsOf(folder)])) rmSync(file, { force: true });
}

/**
 * Reads the reports that vitest wrote in workspaces.
 *
 * @param {readonly string[]} folders absolute paths of the workspaces
 * @returns {{ counts: Counts, files: { file: string, seconds: number }[], errors: string[] }} the test files by their absolute path, the slowest first; what went wrong
 */
export function readReports(folders) {
  const found = /** @type {Report[]} */ (folders.map(reportOf).flatMap(readIfThere));
  const counts = found.map((report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    tests: report.numTotalTests,
  }));
  const files = found
    .flatMap((report) => report.testResults)
    .map(({ name, startTime, endTime }) => ({ file: name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds);
  const errors = /** @type {string[]} */ (folders.map(errorsOf).flatMap(readIfThere).flat());
  return { counts: sumCounts(counts), files, errors };
}

/** @param {string} file */
function readIfThere(file) {
  return existsSync(file) ? [JSON.parse(readFileSync(file, "utf8"))] : [];
}

/** @param {string} folder */
function errorsOf(folder) {
  return path.join(folder, "reports", "errors.json");
}

/** @param {string} folder */
function reportOf(folder) {
  return path.join(folder, "reports", "tests.json");
}

/**
 * What vitest's JSON reporter writes; times in milliseconds.
 *
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {number} numTotalTests
 * @property {readonly { name: string, startTime: number, endTime: number }[]} testResults
 */
