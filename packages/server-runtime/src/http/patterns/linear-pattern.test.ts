import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../../test/support/property-testing.js";
import { boundedPattern, isLinearPattern, linearPattern } from "./linear-pattern.js";

const long = 20_000;

describe("a linear matcher", () => {
  // The native matcher takes 2 to the power of the length for these texts, so that none of these tests would end.
  test.each([
    ["^(a+)+$", `${"a".repeat(long)}!`],
    ["^(a|a)*$", `${"a".repeat(long)}!`],
    ["^(?:a|aa)+$", `${"a".repeat(long)}!`],
    ["^(\\w+\\s?)*$", `${"a".repeat(long)}!`],
    ["^(?:(.*)*)*x$", "a".repeat(long)],
    [`^${"(?:a|a)".repeat(60)}$`, `${"a".repeat(60)}!`],
    ["^(?=(a+)+$)b", `${"a".repeat(long)}!`],
    ["^(?!(?:a|a)*b$)a*!$", `${"a".repeat(long)}!?`],
    ["(?<=^(a|a)*)c", `${"a".repeat(long)}b`],
  ])("ends for %s", (pattern, text) => {
    expect(isLinearPattern(pattern)).toBe(true);
    expect(linearPattern(pattern).test(text)).toBe(false);
  });

  test.each([
    ["^(a+)+$", ["a", "aaa"], ["", "b", "ab"]],
    ["(?<=a)b", ["ab", "cab"], ["b", "cb"]],
    ["(?<!a)b", ["b", "cb"], ["ab"]],
    ["^(?=.*\\d)(?=.*[a-z]).{4,6}$", ["abc1", "1aaaaa"], ["abcd", "ab1", "abcde12"]],
    ["^(?!.*--)[a-z-]+$", ["a-b"], ["a--b"]],
    ["\\bcat\\b", ["a cat.", "cat"], ["cats", "concat"]],
    ["^\\p{Lu}[\\u{1F600}-\\u{1F64F}]\\ud83d\\ude00.$", ["A😀😀😀"], ["A😀😀", "a😀😀😀"]],
    ["^[^]{2}$", ["😀\n"], ["😀"]],
    ["^.$", ["😀"], ["\n", "\u2028"]],
    ["^\\x41\\u0042\\cJ\\0\\t\\/\\.\\[$", ["AB\n\0\t/.["], ["AB"]],
    ["^[\\]\\\\^-]$", ["]", "\\", "^", "-"], ["[", "a"]],
    ["^(?<year>\\d{4})-(?<month>\\d{2,})$", ["2026-11", "2026-111"], ["2026-1"]],
    ["^(?:){3}a{0}b{2}c{1,2}?$", ["bbc", "bbcc"], ["bc", "bbccc"]],
    ["", ["", "a"], []],
    ["[]", [], ["", "a"]],
  ])("has the meaning of %s", (pattern, matching, others) => {
    const matcher = linearPattern(pattern);
    const native = new RegExp(pattern, "u");
    expect([matching, others].map((texts) => texts.map((text) => matcher.test(text)))).toEqual([
      matching.map(() => true),
      others.map(() => false),
    ]);
    expect([matching, others].map((texts) => texts.map((text) => native.test(text)))).toEqual([
      matching.map(() => true),
      others.map(() => false),
    ]);
  });

  test("agrees with RegExp on random patterns and texts", () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 8 }), (pattern, each) => {
        const matcher = linearPattern(pattern);
        expect(each.map((text) => matcher.test(text))).toEqual(each.map((text) => matchesNatively(pattern, text)));
      }),
      propertyRuns(1000, 50_000),
    );
  });
});

/**
 * Whether `RegExp` finds a match that begins at a character. V8 alone also looks between the two halves of one, if a pattern begins with what
 * looks behind: for it, `(?<![^a]|^)` matches an emoji.
 */
function matchesNatively(pattern: string, text: string): boolean {
  const native = new RegExp(pattern, "uy");
  let position = 0;
  return [...text, ""].some((character) => {
    native.lastIndex = position;
    position += character.length;
    return native.test(text);
  });
}

test("begins a match at a character, never between its halves", () => {
  expect(linearPattern("(?<![^a]|^)").test("😀")).toBe(false);
  expect(matchesNatively("(?<![^a]|^)", "😀")).toBe(false);
});

test("backreferences, modifiers and patterns of too many states are not linear", () => {
  expect(
    ["^(a)\\1$", "^(?<b>a)\\k<b>$", "(?i:a)", "^a{998}$", "^(?:(?:){1000000}){1000000}$"].map(isLinearPattern),
  ).toEqual([false, false, false, true, false]);
  expect(["^a{999}$", `^${"a".repeat(997)}$`, `${"(".repeat(1001)}${")".repeat(1001)}`].map(isLinearPattern)).toEqual([
    false,
    true,
    false,
  ]);
});

test("a bounded matcher matches no longer text", () => {
  const matcher = boundedPattern("^(a+)\\1$", 4);
  expect(["aa", "aaa", "aaaa", "aaaaaa"].map((text) => matcher.test(text))).toEqual([true, false, true, false]);
});

const words = (...each: readonly string[]) => fc.constantFrom(...each);
const texts = fc.oneof(
  fc.string({ unit: words("a", "b", "1", "-", "é", "😀", "\n"), maxLength: 7 }),
  fc.string({ unit: words("a", "b"), maxLength: 10 }),
);
const times = words("*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}");

/** Patterns of a few elements: those that take a native matcher long need longer texts. */
const patterns = fc
  .letrec<Record<"choice" | "row" | "item" | "element" | "whole", string>>((tie) => ({
    element: fc.oneof(
      { maxDepth: 4 },
      words(
        "a",
        "b",
        "1",
        ".",
        "[ab]",
        "[^a]",
        "[a-c1]",
        "\\w",
        "\\W",
        "\\d",
        "\\S",
        "\\p{L}",
        "[^\\p{L}b]",
        "\\u{1F600}",
      ),
      fc.tuple(words("(", "(?:", "(?=", "(?!", "(?<=", "(?<!"), tie("choice"), words(")")).map((each) => each.join("")),
      words("^", "$", "\\b", "\\B"),
    ),
    item: fc.oneof(
      tie("element"),
      fc.tuple(tie("element"), times).map((each) => each.join("")),
    ),
    row: fc.array(tie("item"), { maxLength: 4 }).map((each) => each.join("")),
    choice: fc.array(tie("row"), { minLength: 1, maxLength: 3 }).map((each) => each.join("|")),
    whole: fc.tuple(words("^", ""), tie("choice"), words("$", "")).map((each) => each.join("")),
  }))
  .whole.filter((pattern) => pattern.length < 40 && isExpression(pattern));

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, "u").flags === "u";
  } catch {
    return false;
  }
}
