import type { AST } from "@eslint-community/regexpp";

/** Ranges of code points, inclusive, sorted and disjoint. */
export type CharacterRanges = readonly (readonly [first: number, last: number])[];

/** Returns the characters that one step of a pattern reads with the `u` flag. Returns a superset if Unicode tables would be required. */
export function characterRanges(node: AST.Character | AST.CharacterClass | AST.CharacterSet): CharacterRanges {
  if (node.type !== "CharacterClass") return single(node) ?? anyCharacter;
  const parts = node.elements.map((each) =>
    each.type === "Character" || each.type === "CharacterSet" || each.type === "CharacterClassRange"
      ? single(each)
      : undefined,
  );
  // The complement of a superset is not a superset.
  const ranges = parts.filter((each) => each !== undefined);
  if (ranges.length < parts.length) return anyCharacter;
  return node.negate ? complement(ranges.flat()) : inOrder(ranges.flat());
}

const maxCodePoint = 0x10_ffff;

export const anyCharacter: CharacterRanges = [[0, maxCodePoint]];

/**
 * Partitions characters into kinds, each given by the sets that contain it. A kind is omitted if another one is in all
 * of its sets and more.
 */
export function distinguishSets(sets: readonly CharacterRanges[]): readonly ReadonlySet<number>[] {
  const starts = new Set(sets.flatMap((set) => set.flatMap(([first, last]) => [first, last + 1])));
  const kinds = new Map<string, ReadonlySet<number>>();
  for (const start of starts) {
    const having = [...sets.keys()].filter((index) => has(sets[index] ?? [], start));
    kinds.set(having.join(), new Set(having));
  }
  const all = [...kinds.values()];
  return all.filter((kind) => !all.some((other) => other.size > kind.size && [...kind].every((set) => other.has(set))));
}

function has(set: CharacterRanges, character: number): boolean {
  return set.some(([first, last]) => first <= character && character <= last);
}

/** Returns `undefined` if Unicode tables would be required. */
function single(node: AST.Character | AST.CharacterClassRange | AST.CharacterSet): CharacterRanges | undefined {
  if (node.type === "Character") return [[node.value, node.value]];
  if (node.type === "CharacterClassRange") return [[node.min.value, node.max.value]];
  if (node.kind === "any") return complement(lineEnds);
  if (node.kind === "property") return undefined;
  const set = escapes[node.kind];
  return node.negate ? complement(set) : set;
}

const lineEnds: CharacterRanges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

const escapes = {
  digit: [[0x30, 0x39]],
  word: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x16_80, 0x16_80],
    [0x20_00, 0x20_0a],
    [0x20_28, 0x20_29],
    [0x20_2f, 0x20_2f],
    [0x20_5f, 0x20_5f],
    [0x30_00, 0x30_00],
    [0xfe_ff, 0xfe_ff],
  ],
} satisfies Record<"digit" | "word" | "space", CharacterRanges>;

function complement(set: CharacterRanges): CharacterRanges {
  const ordered = inOrder(set);
  const starts = [0, ...ordered.map(([, last]) => last + 1)];
  const ends = [...ordered.map(([first]) => first - 1), maxCodePoint];
  return starts
    .map((start, index) => [start, ends[index] ?? maxCodePoint] as const)
    .filter(([first, last]) => first <= last);
}

function inOrder(ranges: CharacterRanges): CharacterRanges {
  const ordered: (readonly [number, number])[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = ordered.at(-1);
    if (before === undefined || before[1] + 1 < first) ordered.push([first, last]);
    else ordered[ordered.length - 1] = [before[0], Math.max(before[1], last)];
  }
  return ordered;
}
