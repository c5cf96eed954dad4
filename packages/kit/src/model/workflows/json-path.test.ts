import { expect, test } from "vitest";
import { parseFilterExpression } from "./json-path.js";

test.each([
  ['$[?@.a.b == "x"]', { path: ["a", "b"], operator: "==", value: { literal: "x" } }],
  ["$[?@.a[0] != null]", { path: ["a", 0], operator: "!=", value: { literal: null } }],
  [
    "$[?!@.data[?@.id == {$steps.make.outputs.id}]]",
    {
      not: {
        path: ["data"],
        items: {
          path: ["id"],
          operator: "==",
          value: { reference: { root: "output", step: "make", name: "id", pointer: [] } },
        },
      },
    },
  ],
  ["$[?length(@.data) == 2]", { length: ["data"], operator: "==", value: 2 }],
  [
    "$[?count(@.data[?@.ok == true]) >= 1]",
    {
      count: ["data"],
      items: { path: ["ok"], operator: "==", value: { literal: true } },
      operator: ">=",
      value: 1,
    },
  ],
  ['$[?search(@, "^a\\\\.b")]', { path: [], pattern: "^a\\.b" }],
  [
    "$[?@.a > 1 && (@.b < 2 || @.c)]",
    {
      all: [
        { path: ["a"], operator: ">", value: { literal: 1 } },
        { any: [{ path: ["b"], operator: "<", value: { literal: 2 } }, { path: ["c"] }] },
      ],
    },
  ],
])("%s", (text, filter) => {
  expect(parseFilterExpression(text)).toEqual(filter);
});

test.each([
  ["$.a", '"[" has to stand where "." does.'],
  ["$[?@.a == x]", '"x" is not a value. Put a text in quotes.'],
  ["$[?length(@.a)]", "length is compared by none of ==, <, <=, > and >=."],
  ["$[?size(@.a) == 1]", '"size" is neither length of a list, count of a filter, search nor match.'],
  ["$[?@.a == 1] #", '"#" cannot be read.'],
  ["$[?@.a == {$nothing}]", "{$nothing} names nothing."],
])("%s is reported as invalid", (text, reason) => {
  expect(parseFilterExpression(text)).toEqual({ reason });
});
