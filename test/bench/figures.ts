/** The smallest, the median and the largest measured value. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { min: Math.min(...values), median: medianOf(values), max: Math.max(...values) };
}

/** Returns the median: for an even number of values, the mean of the two in the middle. Throws for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  if (low === undefined || high === undefined) throw new Error("Nothing was measured.");
  return (low + high) / 2;
}

/** Returns the median of the ratios within each round, since a slow round slows down both. Throws when a round lacks one of them. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): number {
  if (ours.length !== theirs.length) throw new Error("The rounds of the two are not the same.");
  return medianOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** Returns the ratio of the fastest rounds, for times in microseconds: interruptions only make a round slower. */
export function fastestRatioOf(ours: readonly number[], theirs: readonly number[]): number {
  return spreadOf(ours).min / spreadOf(theirs).min;
}
