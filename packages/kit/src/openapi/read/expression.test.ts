import { expect, test } from "vitest";
import { looksLikeExpression, parseExpression } from "./expression.js";

test.each([
  ["$request.path.id", { root: "request", part: "path", name: "id", pointer: [] }],
  ["$request.header.X-A.b", { root: "request", part: "header", name: "X-A.b", pointer: [] }],
  ["$request.body", { root: "request", part: "body", pointer: [] }],
  ["$request.body#/a~1b/*/~0", { root: "request", part: "body", pointer: ["a/b", "*", "~"] }],
  ["$response.body#/a~1b/c~0d", { root: "response", part: "body", pointer: ["a/b", "c~d"] }],
  ["$caller", { root: "caller", pointer: [] }],
  ["$caller.scopes", { root: "caller", name: "scopes", pointer: [] }],
  ["$target", { root: "target", pointer: [] }],
  ["$target#/a", { root: "target", pointer: ["a"] }],
  ["$refs.region#/a", { root: "refs", part: "region", pointer: ["a"] }],
  ["0", { root: "relative", part: "0", pointer: [] }],
  ["2/count", { root: "relative", part: "2", pointer: ["count"] }],
])("%s is an expression", (text, expected) => {
  expect(parseExpression(text)).toEqual({ text, ...expected });
});

test.each([
  ..."a $ $request $response $refs $stranger $request.body#a $request.body/id $request.cookie.a $request.path.".split(
    " ",
  ),
  ..."request.body $target/tags 2#/count count -1/a".split(" "),
  "",
])("%j is none", (text) => {
  expect(parseExpression(text)).toBeUndefined();
});

test("a literal does not look like one", () => {
  expect(["$request.path.id", "1/label", "0"].every(looksLikeExpression)).toBe(true);
  expect(["full", "", "12ab"].some(looksLikeExpression)).toBe(false);
});
