import { describe, expect, test } from "vitest";
import { addIssue, addIssueAt, isValid, type Check } from "../../http/index.js";
import { anyOf } from "./composition.js";

const text: Check = (value, issues) => {
  if (typeof value !== "string") addIssue(issues, "type", "string");
};

describe("a value satisfies a check without issues", () => {
  test("of the value, or of a field", () => {
    const named: Check = (_, issues) => addIssueAt(issues, "name", "required");
    expect([isValid(text, "a"), isValid(text, 1), isValid(named, {})]).toEqual([true, false, false]);
  });

  test("whatever other checks it calls", () => {
    const noText: Check = (value, issues) => {
      if (isValid(text, value)) addIssue(issues, "not");
    };
    const failsFirst: Check = (_, issues) => {
      addIssue(issues, "false");
      isValid(text, "a");
    };
    expect([isValid(noText, 1), isValid(noText, "a"), isValid(failsFirst, "a")]).toEqual([true, false, false]);
  });

  test("also if it adds its issues to the list directly, or those of branches", () => {
    const pushes: Check = (value, issues) => {
      if (value === 1) issues.push({ path: [], code: "rule", first: "must not be 1" });
    };
    const either: Check = (value, issues) => anyOf(value, issues, [text, pushes]);
    expect([isValid(pushes, 1), isValid(pushes, 2), isValid(either, 1), isValid(either, 2)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test("and after a check that has thrown", () => {
    const throws: Check = (_, issues) => {
      addIssue(issues, "false");
      issues.push({ path: [], code: "false" });
      throw new RangeError("Too deep.");
    };
    expect(() => isValid(throws, 1)).toThrow("Too deep.");
    expect([isValid(text, "a"), isValid(text, 1)]).toEqual([true, false]);
  });
});
