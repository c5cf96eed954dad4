import { expect, test } from "vitest";
import { toUnicodePattern } from "./regular-expressions.js";

test.each([
  ["^[a-z]+$", "^[a-z]+$"],
  ["^\\p{L}+$", "^\\p{L}+$"],
  ["\\\\A", "\\\\A"],
  ["^\\-?[0-9]+$", "^-?[0-9]+$"],
  ["^[a-z]+\\@[a-z\\_]+$", "^[a-z]+@[a-z_]+$"],
  ["^[\\w\\-]+\\_$", "^[\\w\\-]+_$"],
  ["^[\\w-.]+[.-\\d]+[\\p{L}-_]+[a-z-]$", "^[\\w\\-.]+[.\\-\\d]+[\\p{L}\\-_]+[a-z-]$"],
  ["a\\-\\\\-\\]z", "a-\\\\-\\]z"],
  ["^\\p{L}\\ \\\u{1f600}$", "^\\p{L} \u{1f600}$"],
  ["^{a}[{}[]{2,}]$", "^\\{a\\}[{}[]{2,}\\]$"],
  ["^\\{{2}}$", "^\\{{2}\\}$"],
  ["(?i)abc", undefined],
  ["\\A[a-z]+\\z", undefined],
  ["^\\w+\\Z", undefined],
  ["a++b", undefined],
  ["^\\p{Alnum}+$", undefined],
  ["^[[:alpha:]]+$", undefined],
  ["a{,3}", undefined],
  ["\\Qa.b\\E\\-", undefined],
  ["(?=a)*", undefined],
  ["([", undefined],
])("JavaScript evaluates %s as %s", (pattern, evaluated) => {
  expect(toUnicodePattern(pattern)).toBe(evaluated);
});
