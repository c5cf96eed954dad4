import { expect, test } from "vitest";
import { placesOfExpression, uniqueNumber, uniqueText } from "./unique-samples.js";

test.each([
  ["^97[89][0-9]{10}$", ["9", "7", "89", ...Array.from({ length: 10 }, () => "0-9")]],
  ["^[A-Z]{1,3}-[A-Z]{2}$", ["A-Z", "A-Z", "A-Z", "-", "A-Z", "A-Z"]],
  [String.raw`^(?:left|right)\.\d$`, ["l", "e", "f", "t", ".", "0-9"]],
  ["^a(?=b)b$", undefined],
  ["^[^a]$", undefined],
])("the characters at each place of a text that matches %s", (expression, places) => {
  expect(placesOfExpression(expression, { least: 0, most: 40 })).toEqual(places);
});

test("as few characters as fit are enough for a single value", () => {
  expect(placesOfExpression("^[a-z]{3,20}$", { least: 0, most: 40, values: 1 })).toEqual(["a-z", "a-z", "a-z"]);
});

test("a unique text is a label if that is valid, else a text with the characters of its places", () => {
  const given = { format: undefined, least: 0, most: 40 };
  expect(uniqueText({ ...given, expression: undefined, isValid: () => true })).toEqual({ $unique: "label" });
  expect(uniqueText({ ...given, most: 4, expression: undefined, isValid: () => true })).toEqual({
    $unique: ["a-z", ...Array.from({ length: 3 }, () => "abcdefghijklmnopqrstuvwxyz0123456789")],
  });
});

test("a unique number is below its maximum", () => {
  expect(uniqueNumber(99_999)).toEqual({ $number: { $unique: ["1-9", "0-9", "0-9", "0-9"] } });
});
