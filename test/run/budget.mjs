/**
 * Compares the processor time of a run with its budget.
 *
 * @param {{ seconds: number | undefined, minutes: number }} run its seconds, and its limit in minutes
 * @returns {string | undefined} the error; undefined within the budget, or without a measurement
 */
export function budgetError({ seconds, minutes }) {
  if (seconds === undefined || seconds <= minutes * 60) return undefined;
  return `The run took ${(seconds / 60).toFixed(1)} min of processor time; its budget is ${minutes} min. Shorten what is new, or give it a short form and move the long one to a *.full.test.ts file.`;
}
