import { RegExpParser, type AST } from "@eslint-community/regexpp";
import { characterRanges, anyCharacter, distinguishSets, type CharacterRanges } from "./characters.js";

/**
 * A pattern as a nondeterministic automaton. A state stands for a position in the pattern that has read a character.
 * State 0 is the start of the text.
 */
export interface Automaton {
  /** The next states of each state, with the number of paths that lead there without reading. */
  readonly next: readonly PathCounts[];
  /** For each kind of character, the states that read it. */
  readonly kinds: readonly ReadonlySet<number>[];
}

/** The number of paths to each state. */
export type PathCounts = ReadonlyMap<number, number>;

/**
 * Builds an automaton with at least the runs that a backtracking matcher tries when it searches for the pattern. Each
 * attempt of the matcher
 * is a separate path through the automaton. Returns `undefined` for lookbehind, modifiers, repetitions of parts
 * that may be empty,
 * and long patterns.
 *
 * - A bounded repetition with more than a few iterations is treated as unbounded. Returns to its start still count as
 * separate paths.
 * - Assertions that read nothing (`$`, `\b`) always hold, because a matcher that does not fail tries more.
 * - A lookahead is a branch without an end beside the branch that continues. Its result does not matter.
 * - A search without `^` may start anywhere: a separate state reads the characters before.
 * - A backreference reads any text.
 * - Greedy and lazy repetitions only differ in order. All runs count, not only those up to the first match.
 */
export function buildAutomaton(pattern: string): Automaton | undefined {
  if (pattern.length > maxPatternLength) return undefined;
  const { alternatives } = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const sets: CharacterRanges[] = [];
  const next: Map<number, number>[] = [];
  let lost = false;

  const lose = (): AutomatonPart => {
    lost = true;
    return emptyPart;
  };

  const read = (characters: CharacterRanges): AutomatonPart => {
    if (sets.length >= maxStates) return lose();
    next.push(new Map());
    const here = new Map([[sets.push(characters) - 1, 1]]);
    return { empty: 0, first: here, last: here };
  };

  const link = (before: PathCounts, after: PathCounts): void => {
    for (const [from, ways] of before) {
      const known = next[from];
      for (const [to, more] of after) known?.set(to, (known.get(to) ?? 0) + ways * more);
    }
  };

  const joined = (before: AutomatonPart, after: AutomatonPart): AutomatonPart => {
    link(before.last, after.first);
    return {
      empty: before.empty * after.empty,
      first: sum(before.first, times(after.first, before.empty)),
      last: sum(after.last, times(before.last, after.empty)),
    };
  };

  const choice = (among: readonly AST.Alternative[]): AutomatonPart =>
    among
      .map(({ elements }) => elements.reduce((before, each) => joined(before, part(each)), emptyPart))
      .reduce(either, unmatchablePart);

  const repeated = ({ element, min, max }: AST.Quantifier): AutomatonPart => {
    if (max === 0) return emptyPart;
    const before = sets.length;
    const body = part(element);
    if (body.empty > 0) return lose(); // matchers differ in how they treat empty iterations
    if (max > 1 && max * (sets.length - before) > maxExpandedStates) {
      link(body.last, body.first);
      return min === 0 ? either(emptyPart, body) : body;
    }
    // Expanded: one to three times becomes xx?x?, with the second question mark nested inside the first.
    let all = min < max ? either(emptyPart, body) : body;
    for (let time = max - 1; time > 0; time--) {
      all = joined(part(element), all);
      if (time > min) all = either(emptyPart, all);
    }
    return all;
  };

  const part = (node: AST.Element): AutomatonPart => {
    if (lost) return emptyPart;
    switch (node.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return read(characterRanges(node));
      case "CapturingGroup":
        return choice(node.alternatives);
      case "Group":
        return node.modifiers === null ? choice(node.alternatives) : lose();
      case "Quantifier":
        return repeated(node);
      case "Assertion":
        if (node.kind === "lookbehind") return lose();
        return node.kind === "lookahead" ? either(emptyPart, ended(choice(node.alternatives))) : emptyPart;
      case "Backreference": {
        const any = read(anyCharacter);
        link(any.last, any.first);
        return either(emptyPart, any);
      }
      case "ExpressionCharacterClass":
        return lose();
    }
  };

  /** Appends a final state, which reads nothing. */
  const ended = (whole: AutomatonPart): AutomatonPart => ({ ...joined(whole, read([])), last: new Map() });

  // A match ends with the smallest count of its last repetition. If more follows, it is read once, without a retry.
  const searched = alternatives.map((each) => {
    const last = each.elements.at(-1);
    const isTail = last?.type === "Quantifier" && last.element.type.startsWith("Character");
    return isTail ? { ...each, elements: [...each.elements.slice(0, -1), { ...last, max: last.min }] } : each;
  });

  const start = read([]).last;
  const before = read(anyCharacter);
  link(start, ended(choice(searched.filter(isAnchored))).first);
  const floating = searched.filter((each) => !isAnchored(each));
  if (floating.length > 0) {
    link(before.last, before.first);
    link(start, before.first);
    const { first } = ended(choice(floating));
    link(start, first);
    link(before.last, first);
  }
  return lost ? undefined : { next, kinds: distinguishSets(sets) };
}

/** A part of a pattern. */
interface AutomatonPart {
  /** The number of ways to match without reading. */
  readonly empty: number;
  /** The number of paths from its start to each state, and from each state to its end. */
  readonly first: PathCounts;
  readonly last: PathCounts;
}

const emptyPart: AutomatonPart = { empty: 1, first: new Map(), last: new Map() };
const unmatchablePart: AutomatonPart = { empty: 0, first: new Map(), last: new Map() };

/**
 * Maximum length in characters, and maximum number of states. Such automata take some milliseconds to build. Longer
 * patterns may nest too
 * deeply, or have counts beyond all numbers.
 */
const maxPatternLength = 1000;
const maxStates = 250;

/** Maximum number of states of an expanded repetition. Enough for bytes and years, but not for labels of domains. */
const maxExpandedStates = 32;

function isAnchored({ elements: [head] }: AST.Alternative): boolean {
  if (head?.type === "Group" || head?.type === "CapturingGroup") return head.alternatives.every(isAnchored);
  return head?.type === "Assertion" && head.kind === "start";
}

function either(one: AutomatonPart, other: AutomatonPart): AutomatonPart {
  return {
    empty: one.empty + other.empty,
    first: sum(one.first, other.first),
    last: sum(one.last, other.last),
  };
}

function sum(one: PathCounts, other: PathCounts): PathCounts {
  const both = new Map(one);
  for (const [state, ways] of other) both.set(state, (both.get(state) ?? 0) + ways);
  return both;
}

function times(ways: PathCounts, factor: number): PathCounts {
  return new Map(factor === 0 ? [] : [...ways].map(([state, count]) => [state, count * factor]));
}
