import { expect, test } from "vitest";
import type { OperationInfo } from "../suite.js";
import { encodePath } from "./path.js";

function infoOf(parameter: Partial<OperationInfo["parameters"][number]>): OperationInfo {
  const parameters = [{ name: "c", in: "path", segments: 1, style: "simple", explode: false, ...parameter } as const];
  return { method: "GET", path: "/x/{c}", tag: "t", location: "a.yaml:1", parameters, responses: {} };
}

// The table of styles in OpenAPI.
test.each([
  ["simple", false, "blue", "blue"],
  ["simple", false, ["blue", "a/b"], "blue,a%2Fb"],
  ["simple", false, { R: 100, G: 200 }, "R,100,G,200"],
  ["simple", true, { R: 100, G: 200 }, "R=100,G=200"],
  ["label", false, "blue", ".blue"],
  ["label", false, ["blue", "black"], ".blue,black"],
  ["label", true, ["blue", "black"], ".blue.black"],
  ["label", false, { R: 100, G: 200 }, ".R,100,G,200"],
  ["label", true, { R: 100, G: 200 }, ".R=100.G=200"],
  ["matrix", false, "blue", ";c=blue"],
  ["matrix", false, ["blue", "black"], ";c=blue,black"],
  ["matrix", true, ["blue", "black"], ";c=blue;c=black"],
  ["matrix", false, { R: 100, G: 200 }, ";c=R,100,G,200"],
  ["matrix", true, { R: 100, G: 200 }, ";R=100;G=200"],
] as const)("%s, exploded: %s, %j", (style, explode, value, expected) => {
  expect(encodePath(infoOf({ style, explode }), { c: value })).toBe(`/x/${expected}`);
});

test("JSON, an id of several segments, and a missing value", () => {
  expect(encodePath(infoOf({ mediaType: "application/json" }), { c: { a: 1 } })).toBe("/x/%7B%22a%22%3A1%7D");
  expect(encodePath(infoOf({ segments: 2 }), { c: "private/a b" })).toBe("/x/private/a%20b");
  expect(() => encodePath(infoOf({}), {})).toThrow(
    'GET /x/{c} is called without its path parameter c. Set it in "path".',
  );
});
