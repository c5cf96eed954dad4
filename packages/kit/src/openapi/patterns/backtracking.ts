import { buildAutomaton, type Automaton, type PathCounts } from "./automaton.js";

/**
 * Returns the greatest length up to which every text is provably matched fast by a backtracking matcher: with at most a few hundred attempts
 * for each of its characters. `Infinity` if all texts are. The result may be too small, never too large.
 *
 * The attempts of such a matcher form a tree. A node is a run: one possible state of the matcher after the
 * first characters of a text. The automaton has at least the runs of the matcher.
 * The number of runs in each state follows from the numbers before the last character. This function visits all such
 * counts, for shorter texts first. If they are exhausted within the effort, the result holds for texts of all lengths.
 */
export function fastTextLength(pattern: string): number {
  const knownLength = lengthByPattern.get(pattern);
  if (knownLength !== undefined) return knownLength;
  const length = measure(buildAutomaton(pattern));
  lengthByPattern.set(pattern, length);
  return length;
}

/** A description repeats its patterns. */
const lengthByPattern = new Map<string, number>();

function measure(automaton: Automaton | undefined): number {
  if (automaton === undefined) return 0;
  const states = new Map([["", { length: 0, runs: new Map([[0, 1]]) as PathCounts }]]);
  let effort = 0;
  for (const { length, runs } of states.values()) {
    // Attempts are made at each position, also behind the last character.
    if (countTries(runs, automaton) > maxTriesPerCharacter) return Math.max(0, length - 1);
    effort += countSteps(runs, automaton) * automaton.kinds.length;
    if (effort > maxEffort) return Math.max(0, length - 1);
    for (const kind of automaton.kinds) {
      const after = advance(runs, kind, automaton);
      const key = [...after].toSorted(([a], [b]) => a - b).join();
      if (!states.has(key)) states.set(key, { length: length + 1, runs: after });
    }
  }
  return Infinity;
}

/** A megabyte of texts takes about a second. */
const maxTriesPerCharacter = 500;

/** Steps of the analysis. Some ten milliseconds. */
const maxEffort = 30_000;

function countTries(runs: PathCounts, { next }: Automaton): number {
  let tries = 0;
  for (const [state, count] of runs) for (const ways of next[state]?.values() ?? []) tries += count * ways;
  return tries;
}

function countSteps(runs: PathCounts, { next }: Automaton): number {
  let steps = 0;
  for (const state of runs.keys()) steps += next[state]?.size ?? 0;
  return steps;
}

/** Returns the runs after one more character, of a kind that the given states read. */
function advance(runs: PathCounts, kind: ReadonlySet<number>, { next }: Automaton): PathCounts {
  const after = new Map<number, number>();
  for (const [state, count] of runs)
    for (const [to, ways] of next[state] ?? []) if (kind.has(to)) after.set(to, (after.get(to) ?? 0) + count * ways);
  return after;
}
