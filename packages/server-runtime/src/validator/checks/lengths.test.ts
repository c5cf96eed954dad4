import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyText, propertyRuns } from "../../../../../test/support/property-testing.js";
import { utf8Length, combinedLength, isLonger, isShorter, serializedLength, textLength } from "./lengths.js";

test.each<[string, number]>([
  ["", 0],
  ["abc", 3],
  ["é", 1],
  ["e\u0301", 2],
  ["💩", 1],
  ["💩💩a", 3],
  ["\ud83d", 1],
  ["\udca9\ud83d", 2],
  ["👩‍👩‍👧", 5],
])("%j has %d characters", (text, length) => {
  expect([isShorter(text, length), isShorter(text, length + 1)]).toEqual([false, true]);
  expect([isLonger(text, length), isLonger(text, length - 1)]).toEqual([false, true]);
});

test("the length of any text is its number of code points", () => {
  fc.assert(
    fc.property(anyText(20), fc.nat(20), (text, bound) => {
      const { length } = [...text];
      expect(isShorter(text, bound)).toBe(length < bound);
      if (text.length > bound) expect(isLonger(text, bound)).toBe(length > bound);
    }),
    propertyRuns(200, 10_000),
  );
});

test.each<[unknown, string[], number]>([
  [{ a: "ab", b: "💩" }, ["a", "b"], 3],
  [{ a: ["ab", ["c"]], b: 12_345 }, ["a", "b"], 3],
  [{ a: null }, ["a", "missing"], 0],
  [{}, ["constructor"], 0],
  [["ab"], ["0"], 0],
  ["ab", ["length"], 0],
])("the texts %j of %j have %d code points together", (value, fields, length) => {
  expect(combinedLength(value, fields)).toBe(length);
});

test.each<[unknown, number]>([
  [{ a: [1, "💩"] }, 13],
  ["\n", 4],
  [null, 4],
  [undefined, 0],
])("%j has %d characters as JSON", (value, length) => {
  expect(serializedLength(value)).toBe(length);
});

test.each<[string, number]>([
  ["abc", 3],
  ["é", 2],
  ["€", 3],
  ["💩", 4],
])("%j has %d bytes in UTF-8", (text, bytes) => {
  expect(utf8Length(text)).toBe(bytes);
});

test.each<[unknown, number]>([
  [["::1", "10.0.0.1"], 11],
  [[["a"], "bc", 5, null], 3],
  ["👍", 1],
  [{ a: "b" }, 0],
])("the texts of %j have %d code points together", (value, length) => {
  expect(textLength(value)).toBe(length);
});
