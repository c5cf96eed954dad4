import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import type { checkSync as check } from "recheck";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../../test/support/property-testing.js";
import { loadDescription } from "../read/load.js";
import { fastTextLength } from "./backtracking.js";

const { checkSync } = createRequire(import.meta.url)("recheck/lib/browser.js") as { readonly checkSync: typeof check };

describe("a pattern with which a text can make a matcher slow is not proven", () => {
  test.each([
    // Exponential.
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "^(a|ab|b)*$",
    "^([a-z]+\\d*)+$",
    "(x+x+)+y",
    "^(?:a{1,20}){1,20}$",
    "^(?:a|[^b])*$",
    "^(?:\\p{Lu}|[A-Z])*$",
    // Empty iterations.
    "^(a*)*$",
    "^(a|)*$",
    "^(?:a(?:|))*$",
    "^((a?)+b)*$",
    "^(?:a?){50}a{50}$",
    // Polynomial.
    "^a*a*$",
    "a*a*b",
    "^(.*),(.*)$",
    "^[a-z]+[a-y]{20,}$",
    "^\\w*?\\d*?x$",
    // Polynomial, because the search starts anywhere.
    "a+b",
    "^a|b+c",
    "(^|b)a+c",
    // Repeated lookahead.
    "(?!.*a)b",
    "^a*(?!.*b)c",
    "^(?:(?=.*x)a)*$",
    "^(?=(a+)+$)b",
    // Every text ends, but the time is not bounded.
    "^(?:a|a){40}$",
    `^${"(?:a|a)".repeat(40)}$`,
    `^a${"(|)".repeat(40)}b*$`,
  ])("%s", (pattern) => {
    expect(isFast(pattern)).toBe(false);
  });
});

describe("a pattern that is beyond the proof is not proven", () => {
  const nested = (depth: number) => `^${"(".repeat(depth)}a${")".repeat(depth)}$`;

  const beyond = ["^(a)\\1*$", "^(?<b>a)\\k<b>*$", "^a*(?<=a)$", "^a*(?<!b)$", "^(a?){3}$"];
  test.each([...beyond, nested(500), `^${"a".repeat(250)}$`])("%s", (pattern) => {
    expect(isFast(pattern)).toBe(false);
  });

  test("what is repeated is written out up to 32 states", () => {
    expect(["a{0,32}b", "a{0,33}b", "(?:a[ab]){0,16}c", "(?:a[ab]){0,17}c"].map(isFast)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test("at the limits of nesting and length it is", () => {
    expect([nested(490), `^${"a".repeat(240)}$`].map(isFast)).toEqual([true, true]);
  });
});

describe("a pattern with which no text makes a matcher slow is proven", () => {
  test.each([
    "",
    "a",
    "ab{1,16}c",
    "^a+|^b+",
    "(?:^a+|(^b+))$",
    "^[a-z0-9-]+$",
    "^([a-z0-9]+\\.)+[a-z]{2,63}$",
    "^(ab*)*$",
    "^(?<word>\\w+)(?:\\s\\w+?)*$",
    "^\\d{4}-?\\d{2}-?\\d{2}$",
    "^\\b[a-z]+\\b$",
    "^(?:(?!b)a)*$",
    "^(?!.*--)[a-z-]{3,32}$",
    "^(?=.*[a-z])(?=.*\\d).{8,}$",
    "^.{0,16}.{0,16}$",
    "^(?:a*a*){0}b$",
    "^(?:[a-z]{20}[a-z]{20})?$",
    "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
  ])("%s", (pattern) => {
    expect(isFast(pattern)).toBe(true);
  });
});

test("all patterns of the Cloud Compute API are proven", async () => {
  const { files } = await loadDescription(fileURLToPath(new URL("../../../../../spec/openapi.yaml", import.meta.url)));
  const patterns = new Set<string>();
  const collect = (key: string, value: unknown): unknown => {
    if (key === "pattern" && typeof value === "string") patterns.add(value);
    return value;
  };
  for (const { value } of files) JSON.stringify(value, collect);
  expect(patterns.size).toBeGreaterThan(30);
  expect([...patterns].filter((each) => !isFast(each))).toEqual([]);
});

describe("what is proven", () => {
  test("is confirmed by a search for an attack", () => {
    let proven = 0;
    const isConfirmed = (pattern: string): boolean => {
      if (!isFast(pattern)) return true;
      proven++;
      return checkSync(pattern, "u", effort).status === "safe";
    };
    // The seed is fixed, so that every machine tests the same patterns. Many thousands of others have been tested with other seeds.
    const sizes = { ...propertyRuns(30, 120), seed: 1 };
    fc.assert(fc.property(repetitive, isConfirmed), sizes);
    expect(proven).toBeGreaterThan(sizes.numRuns / 3);
  });
});

function isFast(pattern: string): boolean {
  return fastTextLength(pattern) === Infinity;
}

const effort = { timeout: null, attackTimeout: null, incubationTimeout: null, attackLimit: 100_000, maxIteration: 2 };

const words = (...each: readonly string[]) => fc.constantFrom(...each);

const times = words("*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,4}", "{0,2}?", "{2,}", "{0,40}", "{5,100}");

/** Patterns of a few characters with repetitions. */
const repetitive = fc
  .letrec<Record<"choice" | "row" | "item" | "element" | "whole", string>>((tie) => ({
    element: fc.oneof(
      { maxDepth: 4 },
      words("a", "b", "c", "1", ".", "[ab]", "[^a]", "[a-c1]", "\\w", "\\W", "\\d", "\\s", "\\p{L}"),
      fc.tuple(words("(", "(?:", "(?=", "(?!", "(?<n>"), tie("choice"), words(")")).map((each) => each.join("")),
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
  .whole.filter((pattern) => /[*+}]/.test(pattern) && pattern.length < 40 && isExpression(pattern));

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, "u").flags === "u";
  } catch {
    return false;
  }
}
