/**
 * Compares the processor time of a run with its budget.
 *
 * @param {{ seconds: number | undefined, minutes: number }} run the seconds that it took, and the minutes that it may take
 * @returns {string | undefined} the error; undefined within the budget, or where nothing was measured
 */
export function budgetError({ seconds, minutes }) {
  if (seconds === undefined || seconds <= minutes * 60) return undefined;
  return `The run took ${(seconds / 60).toFixed(1)} min of processor time; its budget is ${minutes} min. Shorten what is new, or give it a short form and move the long one to a *.full.test.ts file.`;
}
