import { automatonOf, type Automaton, type Ways } from "./automaton.js";

/**
 * Whether it is proven that searching a text for the pattern takes time in proportion to the text's length, however hostile
 * the text. False proves nothing: then something has to be asked that looks for an attack, which takes seconds.
 *
 * All that a backtracking matcher does is a tree, in which a node is a run: what it may have done when it stands after the
 * first characters of a text. From there it tries the states that come next. So it takes time in proportion when it never
 * has more than a fixed number of tries after the same characters. The automaton has at least the runs of the matcher, and
 * how many of them end in each state follows from how many did before the last character. All such counts that a text can
 * lead to are visited; when there is an end to them within the effort, no text leads to more tries than the effort.
 */
export function isLinear(pattern: string): boolean {
  const automaton = automatonOf(pattern);
  if (automaton === undefined) return false;
  const seen = new Map([["", new Map([[0, 1]]) as Ways]]);
  let effort = 0;
  for (const runs of seen.values()) {
    effort += triesOf(runs, automaton) * automaton.kinds.length;
    if (effort > mostEffort) return false;
    for (const kind of automaton.kinds) {
      const after = read(runs, kind, automaton);
      seen.set([...after].toSorted(([a], [b]) => a - b).join(), after);
    }
  }
  return true;
}

/** Tries, each for every kind of characters; some ten milliseconds. */
const mostEffort = 30_000;

function triesOf(runs: Ways, { next }: Automaton): number {
  let tries = 0;
  for (const [state, count] of runs) for (const ways of next[state]?.values() ?? []) tries += count * ways;
  return tries;
}

/** The runs after one more character, of a kind that the given states read. */
function read(runs: Ways, kind: ReadonlySet<number>, { next }: Automaton): Ways {
  const after = new Map<number, number>();
  for (const [state, count] of runs)
    for (const [to, ways] of next[state] ?? []) if (kind.has(to)) after.set(to, (after.get(to) ?? 0) + count * ways);
  return after;
}
