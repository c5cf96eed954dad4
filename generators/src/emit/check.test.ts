import { expect, test } from "vitest";
import { checkSyntax } from "./check.js";

test("what parses passes, whatever it means", () => {
  expect(() => checkSyntax([{ path: "src/a.ts", text: 'export const a: Nowhere = missing("b");\n' }])).not.toThrow();
  expect(() => checkSyntax([])).not.toThrow();
});

test("the first fault is told with its place", () => {
  const files = [
    { path: "src/a.ts", text: "export {};\n" },
    { path: "src/b.ts", text: "export const a = 1;\nexport const = 2;\n" },
  ];
  expect(() => checkSyntax(files)).toThrow("/src/b.ts:2: Variable declaration expected.");
});
