import { expect, test } from "vitest";
import { compressText } from "./partial-evaluation.js";

test.each([
  ["", ""],
  ["short", "short"],
  ["a".repeat(20), { $repeat: ["a", 20] }],
  [`x${"é".repeat(20)}y`, { $text: ["x", { $repeat: ["é", 20] }, "y"] }],
  [`${"😀".repeat(16)}a`, { $text: [{ $repeat: ["😀", 16] }, "a"] }],
])("%s is compressed", (text, template) => {
  expect(compressText(text)).toEqual(template);
});

test("a long host name is a short template, without nesting", () => {
  const label = "a".repeat(63);
  const text = Array.from({ length: 1024 }, () => label).join(".");
  expect(compressText(text)).toEqual({
    $text: [{ $repeat: ["a", 63] }, { $repeat: [`.${label}`, 1023] }],
  });
});
