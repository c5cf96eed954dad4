import { parsePattern, PatternSyntaxError, type Lookaround, type PatternNode } from "./parse-pattern.js";

/** What decides whether a text matches a pattern. Every `RegExp` without the flags `g` and `y` is one. */
export interface PatternMatcher {
  readonly source: string;
  test(text: string): boolean;
}

/**
 * Creates a matcher with the meaning of `new RegExp(source, "u")`. Its time is linear in the length of the text, whatever the text is: it
 * follows all ways through the pattern at once, and never goes back. The pattern is compiled at the first test.
 *
 * @throws PatternSyntaxError at the first test of a pattern that `isLinearPattern` rejects
 */
export function linearPattern(source: string): PatternMatcher {
  let compiled: Program | undefined;
  return { source, test: (text) => matches((compiled ??= compile(source)), Array.from(text)) };
}

/**
 * Creates a matcher that rejects texts of more than `maxLength` UTF-16 units, and matches others as `RegExp` does. It is for patterns with
 * backreferences: no matcher of these is linear, but the time to match a short text is bounded.
 */
export function boundedPattern(source: string, maxLength: number): PatternMatcher {
  const expression = new RegExp(source, "u");
  return { source, test: (text) => text.length <= maxLength && expression.test(text) };
}

/** Whether `linearPattern` matches a valid pattern: false for backreferences, modifiers, and patterns of more than 1,000 states. */
export function isLinearPattern(source: string): boolean {
  try {
    compile(source);
    return true;
  } catch (error) {
    // Thousands of groups in each other exceed the stack.
    if (error instanceof PatternSyntaxError || error instanceof RangeError) return false;
    throw error;
  }
}

/** A pattern as an automaton, with those of its lookarounds. Inner lookarounds come before those that contain them. */
interface Program {
  readonly start: State;
  readonly lookarounds: readonly CompiledLookaround[];
}

interface CompiledLookaround extends Pick<Lookaround, "isBehind" | "isNegated"> {
  readonly start: State;
}

/** Reads a character, or requires something of a position, or neither; then continues with each of the next states. */
interface State {
  readonly reads?: ((character: string) => boolean) | undefined;
  /** Whether a position fulfills an assertion. */
  readonly holds?: ((subject: Subject, position: number) => boolean) | undefined;
  readonly isEnd?: boolean;
  next: readonly State[];
  /** The visit that has added the state to its set last, so that a set has each state once. */
  visit: number;
}

/** A text, with the positions at which each lookaround holds. */
interface Subject {
  readonly characters: readonly string[];
  readonly verdicts: Uint8Array[];
}

/** Each state may be active at each character, so that this bounds the steps for one character. */
const maxStates = 1000;
const maxCompileSteps = 10 * maxStates;

function compile(source: string): Program {
  const lookarounds: CompiledLookaround[] = [];
  let states = 0;
  let steps = 0;

  const state = (parts: Omit<State, "visit">): State => {
    states += 1;
    return { reads: undefined, holds: undefined, isEnd: false, ...parts, visit: 0 };
  };

  /** Lookaheads are matched backwards from their ends, because a position fulfills them if a match starts there. */
  const lookaround = ({ isBehind, isNegated, body }: Lookaround): NonNullable<State["holds"]> => {
    const start = emit(body, state({ isEnd: true, next: [] }), !isBehind);
    const index = lookarounds.push({ start, isBehind, isNegated }) - 1;
    return ({ verdicts }, position) => (verdicts[index]?.[position] === 1) !== isNegated;
  };

  const emit = (node: PatternNode, next: State, isBackward: boolean): State => {
    steps += 1; // repetitions of nothing have no states
    if (states > maxStates || steps > maxCompileSteps) throw new PatternSyntaxError("The pattern has too many states.");
    switch (node.type) {
      case "character":
        return state({ reads: node.reads, next: [next] });
      case "edge":
        return state({ holds: edges[node.edge], next: [next] });
      case "lookaround":
        return state({ holds: lookaround(node), next: [next] });
      case "choice":
        return state({ next: node.alternatives.map((each) => emit(each, next, isBackward)) });
      case "sequence": {
        const parts = isBackward ? node.parts : node.parts.toReversed();
        return parts.reduce((after, part) => emit(part, after, isBackward), next);
      }
      case "repetition": {
        let after = next;
        if (node.max === Infinity) {
          after = state({ next: [] });
          after.next = [emit(node.part, after, isBackward), next];
        } else {
          for (let time = node.min; time < node.max; time += 1)
            after = state({ next: [emit(node.part, after, isBackward), next] });
        }
        for (let time = 0; time < node.min; time += 1) after = emit(node.part, after, isBackward);
        return after;
      }
    }
  };

  return { start: emit(parsePattern(source), state({ isEnd: true, next: [] }), false), lookarounds };
}

const edges: Readonly<Record<"start" | "end" | "word" | "notWord", NonNullable<State["holds"]>>> = {
  start: (_subject, position) => position === 0,
  end: ({ characters }, position) => position === characters.length,
  word: ({ characters }, position) => isWord(characters[position - 1]) !== isWord(characters[position]),
  notWord: ({ characters }, position) => isWord(characters[position - 1]) === isWord(characters[position]),
};

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}

function matches({ start, lookarounds }: Program, characters: readonly string[]): boolean {
  const subject: Subject = { characters, verdicts: [] };
  for (const { start: inner, isBehind } of lookarounds) {
    const verdicts = new Uint8Array(characters.length + 1);
    subject.verdicts.push(verdicts);
    scan(inner, { subject, isBackward: !isBehind, found: (position) => void (verdicts[position] = 1) });
  }
  let isMatch = false;
  scan(start, { subject, isBackward: false, found: () => (isMatch = true) });
  return isMatch;
}

interface Scan {
  readonly subject: Subject;
  readonly isBackward: boolean;
  /** Called with each position at which a match ends. True ends the scan. */
  readonly found: (position: number) => boolean | void;
}

let visits = 0;

/** Reads the characters in one direction. A match may start at each position. */
function scan(start: State, { subject, isBackward, found }: Scan): void {
  const { characters } = subject;
  // What the next character leads to, and what reads it. Both are reused, because there is one turn for each character.
  const waiting: State[] = [];
  const reading: State[] = [];
  for (let step = 0; step <= characters.length; step += 1) {
    const position = isBackward ? characters.length - step : step;
    visits += 1;
    reading.length = 0;
    waiting.push(start);
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      if (each.visit === visits) continue;
      each.visit = visits;
      if (each.reads !== undefined) reading.push(each);
      else if (each.isEnd) {
        if (found(position)) return;
      } else if (each.holds === undefined || each.holds(subject, position))
        for (const next of each.next) waiting.push(next);
    }
    const character = characters[isBackward ? position - 1 : position];
    if (character === undefined) return;
    for (const { reads, next } of reading) if (reads?.(character)) for (const each of next) waiting.push(each);
  }
}
