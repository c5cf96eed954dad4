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
  return new AutomatonBuilder().build(alternatives);
}

class AutomatonBuilder {
  readonly #sets: CharacterRanges[] = [];
  readonly #next: Map<number, number>[] = [];
  #isUnsupported = false;

  build(alternatives: readonly AST.Alternative[]): Automaton | undefined {
    const searched = alternatives.map(withShortestTail);
    const start = this.#read([]).last;
    const before = this.#read(anyCharacter);
    this.#link(start, this.#ended(this.#choice(searched.filter(isAnchored))).first);
    const floating = searched.filter((alternative) => !isAnchored(alternative));
    if (floating.length > 0) {
      this.#link(before.last, before.first);
      this.#link(start, before.first);
      const { first } = this.#ended(this.#choice(floating));
      this.#link(start, first);
      this.#link(before.last, first);
    }
    return this.#isUnsupported ? undefined : { next: this.#next, kinds: distinguishSets(this.#sets) };
  }

  #unsupported(): AutomatonPart {
    this.#isUnsupported = true;
    return emptyPart;
  }

  #read(characters: CharacterRanges): AutomatonPart {
    if (this.#sets.length >= maxStates) return this.#unsupported();
    this.#next.push(new Map());
    const state = new Map([[this.#sets.push(characters) - 1, 1]]);
    return { empty: 0, first: state, last: state };
  }

  #link(before: PathCounts, after: PathCounts): void {
    for (const [from, ways] of before) {
      const targets = this.#next[from];
      for (const [to, more] of after) targets?.set(to, (targets.get(to) ?? 0) + ways * more);
    }
  }

  #joined(before: AutomatonPart, after: AutomatonPart): AutomatonPart {
    this.#link(before.last, after.first);
    return {
      empty: before.empty * after.empty,
      first: sum(before.first, times(after.first, before.empty)),
      last: sum(after.last, times(before.last, after.empty)),
    };
  }

  /** Appends a final state, which reads nothing. */
  #ended(part: AutomatonPart): AutomatonPart {
    return { ...this.#joined(part, this.#read([])), last: new Map() };
  }

  #choice(alternatives: readonly AST.Alternative[]): AutomatonPart {
    return alternatives
      .map(({ elements }) => elements.reduce((before, each) => this.#joined(before, this.#part(each)), emptyPart))
      .reduce(unite, unmatchablePart);
  }

  #repeated({ element, min, max }: AST.Quantifier): AutomatonPart {
    if (max === 0) return emptyPart;
    const before = this.#sets.length;
    const body = this.#part(element);
    if (body.empty > 0) return this.#unsupported(); // matchers differ in how they treat empty iterations
    if (max > 1 && max * (this.#sets.length - before) > maxExpandedStates) {
      this.#link(body.last, body.first);
      return min === 0 ? unite(emptyPart, body) : body;
    }
    // Expanded: one to three times becomes xx?x?, with the second question mark nested inside the first.
    let all = min < max ? unite(emptyPart, body) : body;
    for (let time = max - 1; time > 0; time--) {
      all = this.#joined(this.#part(element), all);
      if (time > min) all = unite(emptyPart, all);
    }
    return all;
  }

  #part(node: AST.Element): AutomatonPart {
    if (this.#isUnsupported) return emptyPart;
    switch (node.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.#read(characterRanges(node));
      case "CapturingGroup":
        return this.#choice(node.alternatives);
      case "Group":
        return node.modifiers === null ? this.#choice(node.alternatives) : this.#unsupported();
      case "Quantifier":
        return this.#repeated(node);
      case "Assertion":
        if (node.kind === "lookbehind") return this.#unsupported();
        return node.kind === "lookahead" ? unite(emptyPart, this.#ended(this.#choice(node.alternatives))) : emptyPart;
      case "Backreference": {
        const any = this.#read(anyCharacter);
        this.#link(any.last, any.first);
        return unite(emptyPart, any);
      }
      case "ExpressionCharacterClass":
        return this.#unsupported();
    }
  }
}

/** A match ends with the smallest count of its last repetition. If more follows, it is read once, without a retry. */
function withShortestTail(alternative: AST.Alternative): AST.Alternative {
  const last = alternative.elements.at(-1);
  if (last?.type !== "Quantifier" || !last.element.type.startsWith("Character")) return alternative;
  return { ...alternative, elements: [...alternative.elements.slice(0, -1), { ...last, max: last.min }] };
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

function unite(one: AutomatonPart, other: AutomatonPart): AutomatonPart {
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
