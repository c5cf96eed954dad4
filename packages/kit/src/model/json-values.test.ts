import { expect, test } from "vitest";
import { valueAt } from "./json-values.js";

test.each([
  [[], { list: [{ a: null }] }],
  [["list", "0", "a"], null],
  [["list", "1", "a"], undefined],
  [["list", "length"], undefined],
  [["list", ""], undefined],
  [["constructor", "name"], undefined],
])("the tokens %j lead to %j", (tokens, value) => {
  expect(valueAt({ list: [{ a: null }] }, tokens)).toEqual(value);
});
