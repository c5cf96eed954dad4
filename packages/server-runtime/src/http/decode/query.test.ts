import * as fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/support/property-testing.js";
import type { Issues } from "../issues/issues.js";
import { readSearchParams, maxQueryPairs, readQuery } from "./query.js";

function read(query: string): unknown {
  const issues: Issues = [];
  const sent = readQuery(query, issues);
  const all = [...sent.names()].map((name) => [name, sent.get(name)]);
  return issues.length === 0 ? all : issues.map(({ code, first }) => [code, first]);
}

it.each([
  ["", []],
  [
    "a=1&b=2&a=3",
    [
      ["a", ["1", "3"]],
      ["b", "2"],
    ],
  ],
  [
    "a&&=&b=c=d",
    [
      ["a", ""],
      ["", ""],
      ["b", "c=d"],
    ],
  ],
  ["a+b=c+d", [["a b", "c+d"]]],
  [
    "__proto__=1&constructor=2",
    [
      ["__proto__", "1"],
      ["constructor", "2"],
    ],
  ],
  ["a=%", [["syntax", "percent-encoded UTF-8"]]],
  ["a=%c3", [["syntax", "percent-encoded UTF-8"]]],
  ["a=é", [["syntax", "percent-encoded UTF-8"]]],
  ["%e0%80%80=1", [["syntax", "percent-encoded UTF-8"]]],
])("%s", (query, pairs) => {
  expect(read(query)).toEqual(pairs);
});

it("has a maximum length", () => {
  expect(read("a&".repeat(maxQueryPairs))).toEqual([["a", Array.from({ length: maxQueryPairs }, () => "")]]);
  expect(read("a&".repeat(maxQueryPairs + 1))).toEqual([["tooManyParameters", maxQueryPairs]]);
});

it("reads what the platform writes", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }))), (pairs) => {
      const parameters = new URLSearchParams(pairs);
      const issues: Issues = [];
      const sent = readQuery(parameters.toString(), issues);
      expect(issues).toEqual([]);
      for (const name of parameters.keys()) {
        const texts = [sent.get(name) ?? []].flat().map((each) => sent.decode(each as string));
        expect(texts).toEqual(parameters.getAll(name));
        expect([readSearchParams(parameters).get(name)].flat()).toEqual(texts);
      }
    }),
    propertyRuns(50, 2000),
  );
});
