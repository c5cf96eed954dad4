import { automatonOf, type Automaton, type Ways } from "./automaton.js";

/**
 * Whether it is proven that searching a text for the pattern takes time in proportion to the text's length, however hostile
 * the text. False proves nothing: then something has to be asked that looks for an attack, which takes seconds.
 *
 * All that a backtracking matcher does is a tree, in which a node is a run: what it may have done when it stands after the
 * first characters of a text. From there it tries the states that come next. So it takes time in proportion when after no
 * text it has more than a fixed number of tries. The automaton has at least the runs of the matcher. How many of its runs
 * end in each state, after a text, follows from the same numbers before the last character; so there are finitely many such
 * rows of numbers or they grow without bound. All are visited; when none has too many tries, no text leads to more.
 */
export function isLinear(pattern: string): boolean {
  const automaton = automatonOf(pattern);
  if (automaton === undefined) return false;
  const seen = new Map([["", new Map([[0, 1]]) as Ways]]);
  let effort = 0;
  for (const runs of seen.values()) {
    const tries = triesOf(runs, automaton);
    effort += tries * automaton.kinds.length;
    if (tries > mostTries || effort > mostEffort) return false;
    for (const kind of automaton.kinds) {
      const after = read(runs, kind, automaton);
      seen.set([...after].toSorted(([a], [b]) => a - b).join(), after);
    }
  }
  return true;
}

/** For one character of a text. Ways to match that were written down one by one are fewer. */
const mostTries = 1000;

/** Additions; some ten milliseconds. */
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
