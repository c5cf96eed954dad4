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

/**
 * What vitest reported: the counts, the test files by their absolute path, the slowest first, and what went wrong.
 *
 * @typedef {{ readonly counts: Counts, readonly files: readonly { file: string, seconds: number }[], readonly errors: readonly string[] }} Reports
 */

/**
 * Reads the reports that vitest wrote in workspaces, adds earlier ones, and removes the files.
 *
 * @param {readonly string[]} folders absolute paths of the workspaces
 * @param {readonly Reports[]} [earlier]
 * @returns {Reports}
 */
export function takeReports(folders, earlier = []) {
  const reports = /** @type {Report[]} */ (folders.map(reportOf).flatMap(take));
  const counts = reports.map((report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    tests: report.numTotalTests,
  }));
  const files = reports
    .flatMap((report) => report.testResults)
    .map(({ name, startTime, endTime }) => ({ file: name, seconds: (endTime - startTime) / 1000 }));
  const errors = /** @type {string[]} */ (folders.map(errorsOf).flatMap(take).flat());
  return {
    counts: sumCounts([...earlier.map((each) => each.counts), ...counts]),
    files: [...earlier.flatMap((each) => each.files), ...files].sort((a, b) => b.seconds - a.seconds),
    errors: [...earlier.flatMap((each) => each.errors), ...errors],
  };
}

/** @param {string} file */
function take(file) {
  if (!existsSync(file)) return [];
  const read = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  return [read];
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
