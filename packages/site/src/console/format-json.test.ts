import { expect, test } from "vitest";
import { formatJson } from "./format-json.js";

const textOf = (text: string): string | undefined =>
  formatJson(text)
    ?.map((token) => token.text)
    .join("");

test("JSON has a line for each value, and its numbers as they were written", () => {
  const text = '{"a":[1,2.50,{"b":null}],"c":{},"d":[],"big":12345678901234567890,"e\\"f":"x, {y}: \\u00e9"}';
  expect(textOf(text)).toBe(`{
  "a": [
    1,
    2.50,
    {
      "b": null
    }
  ],
  "c": {},
  "d": [],
  "big": 12345678901234567890,
  "e\\"f": "x, {y}: \\u00e9"
}`);
});

test("names, texts and other values have colours", () => {
  expect(formatJson('{"a": "b", "c": true}')?.filter(({ kind }) => kind !== undefined)).toEqual([
    { text: '"a"', kind: "property" },
    { text: '"b"', kind: "string" },
    { text: '"c"', kind: "property" },
    { text: "true", kind: "constant" },
  ]);
});

test("a single value is JSON, and other texts are not", () => {
  expect(textOf('"a"')).toBe('"a"');
  expect(formatJson("<p>")).toBeUndefined();
  expect(formatJson("")).toBeUndefined();
});
