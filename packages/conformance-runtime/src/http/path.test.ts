import { expect, test } from "vitest";
import type { OperationInfo } from "../suite.js";
import { encodePath } from "./path.js";

function infoOf(parameter: Partial<OperationInfo["parameters"][number]>): OperationInfo {
  const parameters = [{ name: "c", in: "path", segments: 1, style: "simple", explode: false, ...parameter } as const];
  return { method: "GET", path: "/x/{c}", tag: "t", location: "a.yaml:1", parameters, responses: {} };
}

test("JSON, an id of several segments, and a missing value", () => {
  expect(encodePath(infoOf({ mediaType: "application/json" }), { c: { a: 1 } })).toBe("/x/%7B%22a%22%3A1%7D");
  expect(encodePath(infoOf({ segments: 2 }), { c: "private/a b" })).toBe("/x/private/a%20b");
  expect(() => encodePath(infoOf({}), {})).toThrow(
    'GET /x/{c} is called without its path parameter c. Set it in "path".',
  );
});
