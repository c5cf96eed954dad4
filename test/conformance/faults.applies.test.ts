import { suite } from "@cloud-compute/conformance";
import { describe, expect, test } from "vitest";
import { allFaults } from "../faults/all-faults.js";
import { faultClasses } from "../faults/classes.js";
import { casesForFault, shortfalls } from "../faults/outcomes.js";
import { rejectionFaults } from "../faults/rejection-faults.js";
import { matcherOf } from "../faults/routes.js";
import { sourcesOf } from "../faults/services.js";
import { applyEdit } from "../faults/source-edits.js";

describe("the faults", () => {
  test("have unique ids", () => {
    expect(new Set(allFaults.map(({ id }) => id)).size).toBe(allFaults.length);
    expect(allFaults.length).toBeGreaterThanOrEqual(200);
  });

  test("cover every class, and no other", () => {
    const found = new Set(allFaults.map((fault) => String(fault.class)));
    expect([...found].toSorted()).toEqual(Object.keys(faultClasses).toSorted());
  });

  test("name existing operations", () => {
    expect(allFaults.filter(({ operation }) => suite.operations[operation] === undefined).map(({ id }) => id)).toEqual(
      [],
    );
  });

  test("break existing requirements", () => {
    const unknown = allFaults.flatMap(({ id, requirements }) =>
      requirements.filter((each) => suite.requirements[each] === undefined).map((each) => `${id}: ${each}`),
    );
    expect(unknown).toEqual([]);
    expect(allFaults.filter(({ requirements }) => requirements.length === 0)).toEqual([]);
  });

  test("can all be applied to the code of the service", () => {
    const problems = [...allFaults, ...rejectionFaults].flatMap((fault) => {
      try {
        if ("edits" in fault) sourcesOf(fault.edits);
        return [];
      } catch (error) {
        return [`${fault.id}: ${(error as Error).message}`];
      }
    });
    expect(problems).toEqual([]);
  });
});

describe("an edit", () => {
  const text = ["a: {", "  n: 1,", "},", "b: {", "  n: 1,", "},"].join("\n");

  test("is applied in the declaration that it names", () => {
    expect(applyEdit(text, { file: "f", within: "b: {", find: "n: 1", replace: "n: 2" })).toBe(
      ["a: {", "  n: 1,", "},", "b: {", "  n: 2,", "},"].join("\n"),
    );
  });

  test("is applied exactly once, or rejected", () => {
    expect(() => applyEdit(text, { file: "f", find: "n: 1", replace: "n: 2" })).toThrow('f: "n: 1" occurs 2 times.');
    expect(() => applyEdit(text, { file: "f", find: "n: 3", replace: "n: 2" })).toThrow('f: "n: 3" occurs 0 times.');
    expect(() => applyEdit(text, { file: "f", within: "c", find: "n", replace: "m" })).toThrow(
      'f: "c" occurs 0 times.',
    );
  });
});

describe("the matrix", () => {
  const sum = { faults: 100, detected: 98, attributed: 90, requests: 0, durationSeconds: 0 };

  test("passes at the goals, and fails below them", () => {
    expect(shortfalls(sum, [])).toEqual([]);
    expect(shortfalls({ ...sum, detected: 97 }, [])).toEqual(["97 of 100 faults are detected, less than 98 %"]);
    expect(shortfalls({ ...sum, attributed: 89 }, [])).toEqual(["89 of 100 faults are attributed, less than 90 %"]);
  });

  test("fails when a case fails without a fault, or when nothing was run", () => {
    expect(shortfalls(sum, ["a/b"])).toEqual(["1 cases fail without a fault: a/b"]);
    expect(shortfalls({ ...sum, faults: 0, detected: 0, attributed: 0 }, [])).toEqual(["no fault was run"]);
  });

  test("has cases for every fault", () => {
    expect(allFaults.filter((fault) => casesForFault(fault, suite).length === 0).map(({ id }) => id)).toEqual([]);
  });
});

describe("a route", () => {
  test.each([
    ["/tags/a", true],
    ["/tags/a/b", false],
    ["/tags", false],
  ])("of a tag fits %s: %s", (pathname, fits) => {
    expect(matcherOf({ method: "GET", path: "/tags/{label}", segments: {} })(pathname)).toBe(fits);
  });

  test.each([
    ["/images/private/1", true],
    ["/images/private%2F1", true],
    ["/images/a/b/c", false],
  ])("of an image fits %s: %s", (pathname, fits) => {
    expect(matcherOf({ method: "GET", path: "/images/{imageId}", segments: { imageId: 2 } })(pathname)).toBe(fits);
  });
});
