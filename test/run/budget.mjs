import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Seconds that the reference work takes on the reference machine: two fast cores, each with one thread of the work. The budget was set there; slower
 * machines take up to 2.5 times as long.
 */
export const referenceSeconds = 0.8;

/**
 * Compares the processor time of a run with its budget, which is that of the reference machine: the same run takes twice as long on another.
 *
 * @param {{ seconds: number | undefined, minutes: number, speed: number }} run its seconds, its limit in minutes, and `machineSpeed`
 * @returns {string | undefined} the error; undefined within the budget, or without a measurement
 */
export function budgetError({ seconds, minutes, speed }) {
  if (seconds === undefined || seconds * speed <= minutes * 60) return undefined;
  return `The run took ${formatMinutes(seconds, speed)}; its budget is ${minutes} min. Shorten what is new, or give it a short form and move the long one to a *.full.test.ts file.`;
}

/**
 * @param {number} seconds
 * @param {number} speed `machineSpeed`
 */
export function formatMinutes(seconds, speed) {
  const minutes = (/** @type {number} */ each) => (each / 60).toFixed(1);
  const measured = `${minutes(seconds)} min of processor time`;
  return speed === 1 ? measured : `${measured}, ${minutes(seconds * speed)} min on the reference machine`;
}

/** Runs the reference work. Returns its seconds. */
export function measureReferenceWork() {
  const program = fileURLToPath(new URL("reference-work.mjs", import.meta.url));
  const { stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  return Number.parseFloat(stdout);
}

/**
 * The speed of this machine, as a multiple of that of the reference machine.
 *
 * @param {readonly number[]} measured seconds of the reference work, before and after a run
 * @returns {number} 1 without a measurement
 */
export function machineSpeed(measured) {
  const known = measured.filter((each) => each > 0);
  return known.length === 0 ? 1 : (referenceSeconds * known.length) / known.reduce((sum, each) => sum + each, 0);
}
