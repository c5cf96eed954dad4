import { RegExpParser, type AST } from "@eslint-community/regexpp";
import { describe, expect, test } from "vitest";
import { characterRanges, anyCharacter, distinguishSets, type CharacterRanges } from "./characters.js";

describe("the characters of", () => {
  // The edges of ASCII, of spaces and line ends, and code points beyond.
  const samples = Array.from({ length: 0x1_1000 }, (_, index) => (index < 0x1_0800 ? index : index * 16));

  test.each(
    ["a", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[a-f]", "[^a-f]", "[^\\d_]", "[\\W5]", "[c-fa-d]"].concat([
      "[]",
      "[^]",
      "[^\\D]",
      "[^\\s\\S]",
      "[\\u{1F600}-\\u{1F64F}]",
      "[\\0-\\u{10FFFF}]",
      "\\u{10FFFF}",
    ]),
  )("%s are those that it matches", (pattern) => {
    const expression = new RegExp(`^${pattern}$`, "u");
    const set = setOf(pattern);
    const differing = samples.filter((each) => has(set, each) !== expression.test(String.fromCodePoint(each)));
    expect(differing).toEqual([]);
  });

  test.each(["\\p{L}", "\\P{L}", "[\\p{L}]", "[^\\p{L}a]"])("%s may be all", (pattern) => {
    expect(setOf(pattern)).toEqual(anyCharacter);
  });
});

test("kinds are what sets tell apart, without those that are in fewer of the same sets", () => {
  const sets = ["[a-c]", "[b-d]", "x", "\\w"].map(setOf);
  expect(distinguishSets(sets)).toEqual([new Set([0, 1, 3]), new Set([2, 3])]);
});

function setOf(pattern: string): CharacterRanges {
  const node = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true }).alternatives[0]
    ?.elements[0];
  return characterRanges(node as AST.Character | AST.CharacterClass | AST.CharacterSet);
}

function has(set: CharacterRanges, character: number): boolean {
  return set.some(([first, last]) => first <= character && character <= last);
}
