import { describe, expect, it } from "vitest";
import { combinedLength, textLength } from "./lengths.js";
import { reasonOf } from "./reasons.js";

describe("how long texts are together", () => {
  it.each([
    [["::1", "10.0.0.1"], 11],
    [[["a"], "bc", 5, null], 3],
    ["👍", 1],
    [{ a: "b" }, 0],
  ])("%j has %i", (value, length) => {
    expect(textLength(value)).toBe(length);
  });

  it("is counted over fields too, of which each is a text or a list of them", () => {
    expect(combinedLength({ a: "x", b: ["y", "z"], c: "not counted" }, ["a", "b", "d"])).toBe(3);
  });

  it("is told with the fields, where there are several", () => {
    expect(reasonOf({ code: "combined", first: ["a", "b"], second: 10 })).toBe(
      "must be at most 10 characters in a, b together",
    );
    expect(reasonOf({ code: "combined", second: 10 })).toBe("must be at most 10 characters together");
  });
});
