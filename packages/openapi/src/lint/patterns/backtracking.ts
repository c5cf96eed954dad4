import { buildAutomaton, type Automaton, type PathCounts } from "./automaton.js";

/**
 * Returns true if a search for the pattern provably takes time linear in the length of the text. False proves nothing;
 * then a search for an attack
 * is needed, which takes seconds.
 *
 * The attempts of a backtracking matcher form a tree. A node is a run: one possible state of the matcher after the
 * first characters of a text.
 * The search is linear if the number of runs after the same characters is bounded. The automaton has at least the runs
 * of the matcher.
 * The number of runs in each state follows from the numbers before the last character. This function visits all such
 * counts. If they are
 * exhausted within the effort, no text leads to more attempts than the effort.
 */
export function isLinear(pattern: string): boolean {
  const automaton = buildAutomaton(pattern);
  if (automaton === undefined) return false;
  const seen = new Map([["", new Map([[0, 1]]) as PathCounts]]);
  let effort = 0;
  for (const runs of seen.values()) {
    effort += countTries(runs, automaton) * automaton.kinds.length;
    if (effort > maxTries) return false;
    for (const kind of automaton.kinds) {
      const after = advance(runs, kind, automaton);
      seen.set([...after].toSorted(([a], [b]) => a - b).join(), after);
    }
  }
  return true;
}

/** Attempts, counted for each kind of character. Some ten milliseconds. */
const maxTries = 30_000;

function countTries(runs: PathCounts, { next }: Automaton): number {
  let tries = 0;
  for (const [state, count] of runs) for (const ways of next[state]?.values() ?? []) tries += count * ways;
  return tries;
}

/** Returns the runs after one more character, of a kind that the given states read. */
function advance(runs: PathCounts, kind: ReadonlySet<number>, { next }: Automaton): PathCounts {
  const after = new Map<number, number>();
  for (const [state, count] of runs)
    for (const [to, ways] of next[state] ?? []) if (kind.has(to)) after.set(to, (after.get(to) ?? 0) + count * ways);
  return after;
}
