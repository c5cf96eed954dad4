import { expect, test } from "vitest";
import { findSizeViolation } from "./size-limits.js";

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

test("a hundred levels are allowed, and one more is reported at its start", () => {
  expect(findSizeViolation(nested(100), "yaml")).toBeUndefined();
  expect(findSizeViolation({ a: nested(100) }, "yaml")).toMatchObject({
    code: "description/too-deep",
    tokens: ["a", ...Array<string>(99).fill("0")],
  });
});

test("aliases do not hide how deep it is", () => {
  const shared = nested(60);
  expect(findSizeViolation([shared, nested(30)], "yaml")).toBeUndefined();
  expect(findSizeViolation({ first: shared, second: { third: [[shared]] } }, "yaml")).toBeUndefined();
  const context = (depth: number): unknown => (depth === 0 ? shared : [context(depth - 1)]);
  expect(findSizeViolation([shared, context(40)], "yaml")).toMatchObject({ code: "description/too-deep" });
});

test("aliases repeat half a million nodes, and no more", () => {
  const shared = Array<number>(999).fill(1); // a thousand times itself
  expect(findSizeViolation(Array<unknown>(501).fill(shared), "yaml")).toBeUndefined();
  expect(findSizeViolation(Array<unknown>(502).fill(shared), "yaml")).toMatchObject({
    code: "description/too-large",
    tokens: ["501"],
  });
});

test("alias cycles and non-finite numbers are reported", () => {
  const circle: unknown[] = [];
  circle.push({ a: circle });
  expect(findSizeViolation(circle, "yaml")).toMatchObject({ code: "description/syntax", tokens: ["0", "a"] });
  expect(findSizeViolation({ a: [1e308, Number.POSITIVE_INFINITY] }, "yaml")).toMatchObject({
    code: "description/syntax",
    tokens: ["a", "1"],
  });
  expect(findSizeViolation({ a: Number.NaN }, "yaml")).toMatchObject({ code: "description/syntax", tokens: ["a"] });
});
