import { expect, test } from "vitest";
import { editDistance, findNearest } from "./edit-distance.js";

test.each([
  ["", "", 0],
  ["limits", "limits", 0],
  ["limts", "limits", 1],
  ["limist", "limits", 1], // transposed letters
  ["kitten", "sitting", 3],
  ["", "abc", 3],
])("%j to %j is %d", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

test("the nearest name is proposed, unless even that is far", () => {
  expect(findNearest("x-limts", ["x-errors", "x-limits"])).toBe("x-limits");
  expect(findNearest("x-vendor", ["x-errors", "x-limits"], 2)).toBeUndefined();
});
