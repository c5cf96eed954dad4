import { expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.js";

test("prints a change with three lines of context", () => {
  const before = ["1", "2", "3", "4", "old", "6", "7", "8", "9"].join("\n");
  const after = ["1", "2", "3", "4", "new", "newer", "6", "7", "8", "9"].join("\n");
  expect(unifiedDiff(before, after)).toBe("@@ -2 +2 @@\n 2\n 3\n 4\n-old\n+new\n+newer\n 6\n 7\n 8\n");
});

test("prints a change at either end", () => {
  expect(unifiedDiff("a\nb\n", "b\n")).toBe("@@ -1 +1 @@\n-a\n b\n");
  expect(unifiedDiff("a\n", "a\nb\n")).toBe("@@ -1 +1 @@\n a\n+b\n");
});

test("prints 40 lines, and the number of the others", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}`).join("\n");
  expect(unifiedDiff("x", lines(38)).split("\n")).toHaveLength(41); // the header, one removed line, 38 added ones, and the end
  expect(unifiedDiff("x", lines(39)).split("\n").slice(-2)).toEqual(["… 1 more lines", ""]);
});

test("prints distant changes in separate hunks", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `${index}\n`);
  const after = lines.with(10, "ten\n").with(90, "ninety\n").join("");
  expect(unifiedDiff(lines.join(""), after).match(/^@@.*$/gm)).toEqual(["@@ -8 +8 @@", "@@ -88 +88 @@"]);
});
