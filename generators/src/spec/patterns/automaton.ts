import { RegExpParser, type AST } from "@eslint-community/regexpp";
import { charactersOf, everything, kindsOf, type Characters } from "./characters.js";

/** A pattern as states, each of which is a place in it where a character has been read. State 0 is the beginning of the text. */
export interface Automaton {
  /** The states after each state, and in how many ways the pattern leads from the one to the other without reading. */
  readonly next: readonly Ways[];
  /** For each kind of characters, the states that read it. */
  readonly kinds: readonly ReadonlySet<number>[];
}

/** In how many ways each state is come to. */
export type Ways = ReadonlyMap<number, number>;

/**
 * An automaton that has at least the runs which a backtracking matcher tries when it searches for the pattern: all that the
 * matcher may have done when it stands after some characters of a text is a way of its own through the automaton. It has none
 * for references back, for looking behind, for repetitions of what may be empty, and for long patterns.
 *
 * - What may be repeated a limited number of times, and not just a few, may be repeated without limit here. In which
 *   repetition a run is, it still tells by how often it went back to the beginning.
 * - Conditions that read nothing (`$`, `\b`) hold always: a matcher that does not give up tries more.
 * - What is looked at ahead is a branch that goes nowhere, beside the one that goes on; whether it matches does not matter.
 * - A search without `^` may begin anywhere: a state of its own reads whatever comes before.
 * - Greedy or lazy is a matter of order, and all runs count, not only those up to the first match.
 */
export function automatonOf(pattern: string): Automaton | undefined {
  if (pattern.length > longest) return undefined;
  const { alternatives } = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const sets: Characters[] = [];
  const next: Map<number, number>[] = [];
  let lost = false;

  const lose = (): Part => {
    lost = true;
    return nothing;
  };

  const read = (characters: Characters): Part => {
    if (sets.length >= mostStates) return lose();
    next.push(new Map());
    const here = new Map([[sets.push(characters) - 1, 1]]);
    return { empty: 0, first: here, last: here };
  };

  const link = (before: Ways, after: Ways): void => {
    for (const [from, ways] of before) {
      const known = next[from];
      for (const [to, more] of after) known?.set(to, (known.get(to) ?? 0) + ways * more);
    }
  };

  const joined = (before: Part, after: Part): Part => {
    link(before.last, after.first);
    return {
      empty: before.empty * after.empty,
      first: sum(before.first, times(after.first, before.empty)),
      last: sum(after.last, times(before.last, after.empty)),
    };
  };

  const choice = (among: readonly AST.Alternative[]): Part =>
    among
      .map(({ elements }) => elements.reduce((before, each) => joined(before, part(each)), nothing))
      .reduce(either, never);

  const repeated = ({ element, min, max }: AST.Quantifier): Part => {
    if (max === 0) return nothing;
    const before = sets.length;
    const body = part(element);
    if (body.empty > 0) return lose(); // what comes of empty repetitions differs between matchers
    if (max > 1 && max * (sets.length - before) > mostWritten) {
      link(body.last, body.first);
      return min === 0 ? either(nothing, body) : body;
    }
    // Written out: three times at most, but once at least, is xx?x? with the second question mark inside the first.
    let all = min < max ? either(nothing, body) : body;
    for (let time = max - 1; time > 0; time--) {
      all = joined(part(element), all);
      if (time > min) all = either(nothing, all);
    }
    return all;
  };

  const part = (node: AST.Element): Part => {
    if (lost) return nothing;
    switch (node.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return read(charactersOf(node));
      case "CapturingGroup":
        return choice(node.alternatives);
      case "Group":
        return node.modifiers === null ? choice(node.alternatives) : lose();
      case "Quantifier":
        return repeated(node);
      case "Assertion":
        if (node.kind === "lookbehind") return lose();
        return node.kind === "lookahead" ? either(nothing, ended(choice(node.alternatives))) : nothing;
      case "Backreference":
      case "ExpressionCharacterClass":
        return lose();
    }
  };

  /** With a state for having come to the end, which reads nothing. */
  const ended = (whole: Part): Part => ({ ...joined(whole, read([])), last: new Map() });

  const start = read([]).last;
  const before = read(everything);
  link(start, ended(choice(alternatives.filter(isAnchored))).first);
  const floating = alternatives.filter((each) => !isAnchored(each));
  if (floating.length > 0) {
    link(before.last, before.first);
    link(start, before.first);
    const { first } = ended(choice(floating));
    link(start, first);
    link(before.last, first);
  }
  return lost ? undefined : { next, kinds: kindsOf(sets) };
}

/** A part of a pattern. */
interface Part {
  /** In how many ways it matches without reading. */
  readonly empty: number;
  /** In how many ways each state is come to from its beginning, and its end from each state. */
  readonly first: Ways;
  readonly last: Ways;
}

const nothing: Part = { empty: 1, first: new Map(), last: new Map() };
const never: Part = { empty: 0, first: new Map(), last: new Map() };

/** Automata of this size are made in some milliseconds; in what is longer, groups may be too deep, and numbers infinite. */
const longest = 1000;
const mostStates = 250;

/** States of a repetition that is written out: bytes and years, but no labels of domains. */
const mostWritten = 32;

function isAnchored({ elements: [head] }: AST.Alternative): boolean {
  if (head?.type === "Group" || head?.type === "CapturingGroup") return head.alternatives.every(isAnchored);
  return head?.type === "Assertion" && head.kind === "start";
}

function either(one: Part, other: Part): Part {
  return {
    empty: one.empty + other.empty,
    first: sum(one.first, other.first),
    last: sum(one.last, other.last),
  };
}

function sum(one: Ways, other: Ways): Ways {
  const both = new Map(one);
  for (const [state, ways] of other) both.set(state, (both.get(state) ?? 0) + ways);
  return both;
}

function times(ways: Ways, factor: number): Ways {
  return new Map(factor === 0 ? [] : [...ways].map(([state, count]) => [state, count * factor]));
}
