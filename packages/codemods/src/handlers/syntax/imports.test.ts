import { expect, test } from "vitest";
import { addImports, importedNames, removeImports } from "./imports.js";
import { parseSource } from "./parse.js";
import { applyEdits } from "./text-edits.js";

test.each([
  ["a, c", 'import { a, b, c } from "m";', 'import { b } from "m";'],
  ["b, c", 'import { a, b, c } from "m";', 'import { a } from "m";'],
  ["b", 'import { a, type b, c } from "m";', 'import { a, c } from "m";'],
  ["a, b", 'import { a, b } from "m";\nx;', "x;"],
  ["d", 'import d, { a } from "m";', 'import { a } from "m";'],
  ["a", 'import d, { a } from "m";', 'import d, {  } from "m";'],
  ["n", 'import d, * as n from "m";', 'import d from "m";'],
])("the names %s are removed", (names, text, expected) => {
  const tree = parseSource("a.ts", text);
  const removed = importedNames(tree).filter(({ local }) => names.split(", ").includes(local));
  expect(applyEdits(text, removeImports(tree, removed))).toBe(expected);
});

const value = { module: "m", imported: "a", local: "a", isType: false };

test.each([
  ["to a list", 'import { b } from "m";\n', [value], 'import { b, a } from "m";\n'],
  [
    "not to a list of types",
    'import type { b } from "m";\n',
    [value],
    'import type { b } from "m";\nimport { a } from "m";\n',
  ],
  ["as a type", 'import { b } from "m";', [{ ...value, isType: true }], 'import { b, type a } from "m";'],
  ["not again", 'import { a } from "m";', [value, { ...value, isType: true }], 'import { a } from "m";'],
  ["under another name", "x;", [{ ...value, local: "c" }], 'import { a as c } from "m";\n\nx;'],
  [
    "after the first line of a program",
    "#!/usr/bin/env node\nx;",
    [value],
    '#!/usr/bin/env node\nimport { a } from "m";\n\nx;',
  ],
  [
    "of any kind",
    "x;",
    [
      { ...value, imported: "*" },
      { ...value, imported: "default", local: "d" },
    ],
    'import * as a from "m";\nimport d from "m";\n\nx;',
  ],
])("an import is added %s", (_, text, needed, expected) => {
  expect(applyEdits(text, addImports(parseSource("a.ts", text), needed))).toBe(expected);
});
