import { expect, it } from "vitest";
import { firstSentences, shortProse } from "./prose.js";

it.each([
  ["One. Two. Three.", 9, "One. Two."],
  ["One. Two. Three.", 8, "One."],
  ["A long sentence without an end", 12, "A long…"],
  ["Some e.g. this. More.", 15, "Some e.g. this."],
  ["First\nline.\n\nSecond paragraph.", 100, "First line."],
  ["", 10, ""],
])("the first sentences of %j within %i characters are %j", (text, length, result) => {
  expect(firstSentences(text, length)).toBe(result);
});

it("no character is cut in half", () => {
  expect(shortProse("😀😀😀😀", 3)).toBe("😀😀…");
});
