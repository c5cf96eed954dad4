import { expect, test } from "vitest";
import { patternSamples, repetitionTexts } from "./pattern-samples.js";

const anyLength = { least: 0, most: Infinity };

test.each([
  ["^[0-9a-f]{32}$", "a".repeat(32)],
  ["^(red|green)-\\d+$", "red-1"],
  ["^[^a-z]{2}$", "11"],
  ["^\\p{Lu}\\p{Ll}+$", "Aa"],
  ["^(\\w)-\\1$", "a-a"],
  ["^(?:[A-Z]{2}){2,}$", "AAAA"],
  ["^\\$ref$", "$ref"],
  ["x", "x"],
  ["^[\\u00e0-\\u00ff]$", "é"],
  ["^a(?=b)b$", "ab"],
])("%s has the sample %s", (pattern, sample) => {
  expect(patternSamples(pattern, anyLength)[0]).toBe(sample);
});

test("the first alternatives have a sample each", () => {
  expect(patternSamples("^(?:A|B[0-9]|C)$", anyLength)).toEqual(["A", "B1", "C"]);
});

test("repetitions and open ends are lengthened to the bounds, and nothing else is", () => {
  expect(patternSamples("^[ab]+$", { least: 5, most: 9 })).toEqual(["aaaaa"]);
  expect(patternSamples("^id-", { least: 8, most: 9 })).toEqual(["id-aaaaa"]);
  expect(patternSamples("^abc$", { least: 4, most: 9 })).toEqual([]);
  expect(patternSamples("^[a]{3,}$", { least: 0, most: 2 })).toEqual([]);
});

test("no work multiplies", () => {
  expect(patternSamples("^(?:(?:){1000000}){1000000}$", anyLength)).toEqual([""]);
  expect(patternSamples("^(?:a{100000}){100000}$", anyLength)).toEqual([]);
});

test("patterns of other dialects and impossible ones have none", () => {
  expect(patternSamples("(?i)abc", anyLength)).toEqual([]);
  expect(patternSamples("^a(?!.)b$", anyLength)).toEqual([]);
});

test("the bounded repetitions of a pattern have texts at their bounds and past them", () => {
  expect(repetitionTexts("^[a-z]{3,5}$")).toEqual({
    "most-5-of-5": "aaaaa",
    "above-6-of-5": "aaaaaa",
    "below-2-of-5": "aa",
  });
  expect(repetitionTexts("^(?:[a-z]{0,2}-)+x$")).toEqual({ "most-2-of-2": "aa-x", "above-3-of-2": "aaa-x" });
  expect(repetitionTexts("^[a-z]*$")).toEqual({});
});
