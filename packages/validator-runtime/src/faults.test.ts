import { describe, expect, test } from "vitest";
import { fail, failAt, holds, type Check } from "./faults.js";
import { matchAny } from "./unions.js";

const text: Check = (value, faults) => {
  if (typeof value !== "string") fail(faults, "type", "string");
};

describe("a value satisfies a check without faults", () => {
  test("of the value, or of a field", () => {
    const named: Check = (_, faults) => failAt(faults, "name", "required");
    expect([holds(text, "a"), holds(text, 1), holds(named, {})]).toEqual([true, false, false]);
  });

  test("whatever other checks it calls", () => {
    const noText: Check = (value, faults) => {
      if (holds(text, value)) fail(faults, "not");
    };
    const failsFirst: Check = (_, faults) => {
      fail(faults, "never");
      holds(text, "a");
    };
    expect([holds(noText, 1), holds(noText, "a"), holds(failsFirst, "a")]).toEqual([true, false, false]);
  });

  test("also if it adds its faults to the list directly, or those of branches", () => {
    const pushes: Check = (value, faults) => {
      if (value === 1) faults.push({ path: [], code: "rule", first: "must not be 1" });
    };
    const either: Check = (value, faults) => matchAny(value, faults, [text, pushes]);
    expect([holds(pushes, 1), holds(pushes, 2), holds(either, 1), holds(either, 2)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test("and after a check that has thrown", () => {
    const throws: Check = (_, faults) => {
      fail(faults, "never");
      faults.push({ path: [], code: "never" });
      throw new RangeError("Too deep.");
    };
    expect(() => holds(throws, 1)).toThrow("Too deep.");
    expect([holds(text, "a"), holds(text, 1)]).toEqual([true, false]);
  });
});
