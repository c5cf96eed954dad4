import { expect, test } from "vitest";
import { regExpFlags } from "./regular-expressions.js";

test.each([
  ["^[a-z]+$", "u"],
  ["^\\p{L}+$", "u"],
  ["\\\\A", "u"],
  ["^[\\w\\-]+\\_$", ""],
  ["^[\\w-.]+$", ""],
  ["a\\-\\\\z", ""],
  ["(?i)abc", undefined],
  ["\\A[a-z]+\\z", undefined],
  ["^\\w+\\Z", undefined],
  ["a++b", undefined],
  ["^\\p{Alnum}+$", undefined],
  ["^[[:alpha:]]+$", undefined],
  ["\\Qa.b\\E\\-", undefined],
  ["([", undefined],
])("JavaScript evaluates %s with the flags %s", (pattern, flags) => {
  expect(regExpFlags(pattern)).toBe(flags);
});
