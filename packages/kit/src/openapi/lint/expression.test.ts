import { expect, test } from "vitest";
import { looksLikeExpression, parseExpressionSyntax } from "./expression.js";

test.each([
  ["$request.path.computeId", { root: "path", name: "computeId" }],
  ["$request.header.X-Filter", { root: "header", name: "X-Filter" }],
  ["$request.body", { root: "body", pointer: [] }],
  ["$request.body#/computes/*", { root: "body", pointer: ["computes", "*"] }],
  ["$response.body#/a~1b/c~0d", { root: "response", pointer: ["a/b", "c~d"] }],
  ["$target", { root: "target", pointer: [] }],
  ["$target#/tags", { root: "target", pointer: ["tags"] }],
  ["$caller.scopes", { root: "caller", name: "scopes", pointer: [] }],
  ["$refs.region#/capabilities", { root: "refs", name: "region", pointer: ["capabilities"] }],
  ["2/count", { root: "relative", up: 2, pointer: ["count"] }],
  ["0", { root: "relative", up: 0, pointer: [] }],
])("%s", (text, expected) => {
  expect(parseExpressionSyntax(text)).toEqual(expected);
});

test.each([
  "",
  "request.body",
  "$request.body/id",
  "$request.cookie.a",
  "$request.path.",
  "$target/tags",
  "2#/count",
  "count",
  "$nobody",
])("%j is none", (text) => {
  expect(parseExpressionSyntax(text)).toBeUndefined();
});

test("a literal does not look like one", () => {
  expect(["$request.path.id", "1/label", "0"].every(looksLikeExpression)).toBe(true);
  expect(["full", "", "12ab"].some(looksLikeExpression)).toBe(false);
});
