import path from "node:path";
import { expect, test } from "vitest";
import { withFixtureFolder } from "../testing.js";
import { readSource } from "./source.js";

const more = "YAML 1.2 requires more indentation of this line, which is within brackets or quotes.";
const blank = "YAML 1.2 requires a blank before this comment.";

test.each<[string, string, unknown, readonly string[]]>([
  ["a bracket at the column of its key", "a:\n  b: {\n    c: [1\n  ]}\n", { a: { b: { c: [1] } } }, [`4:3 ${more}`]],
  [
    "brackets at the start of lines",
    "a: [\n{b: 1},\n2\n]\n",
    { a: [{ b: 1 }, 2] },
    [`2:1 ${more} It is the first of 3.`],
  ],
  ["tabs within brackets", "a: [\n\t1,\n\t2]\n", { a: [1, 2] }, [`2:2 ${more} It is the first of 2.`]],
  ["two brackets on a line", "a: [[\n],[\n]]\n", { a: [[], []] }, [`2:1 ${more} It is the first of 2.`]],
  [
    "quotes at the start of lines",
    "a:\n  b: 'c\nd'\n  e: \"f\n\n g\"\n",
    { a: { b: "c d", e: "f\ng" } },
    [`3:1 ${more} It is the first of 2.`],
  ],
  ["a comment after a bracket", "a: [1]#b\nc: 2\n", { a: [1], c: 2 }, [`1:7 ${blank}`]],
  [
    "comments after quotes and commas",
    "a: 'b'#c\r\nd: [1,#e\r\n  2]#'\r\n",
    { a: "b", d: [1, 2] },
    [`1:7 ${blank} It is the first of 3.`],
  ],
  ["signs that are no comments", "a: b#c\nd: '#'\ne: |#\n  f#\n", { a: "b#c", d: "#", e: "f#\n" }, [`3:5 ${blank}`]],
  ["both", "a: [\n]#b\n", { a: [] }, [`2:1 ${more}`, `2:2 ${blank}`]],
  ["indented brackets", "a: [\n  ]\nb: 'c\n  d' # e\n", { a: [], b: "c d" }, []],
])("%s is read, and what YAML 1.2 forbids is a warning", async (_, text, value, warnings) => {
  await withFixtureFolder({ "openapi.yaml": text }, async (folder) => {
    const source = await readSource(path.join(folder, "openapi.yaml"), folder);
    expect(source.value).toEqual(value);
    expect(source.warnings?.map(({ origin: { line, column }, message }) => `${line}:${column} ${message}`)).toEqual(
      warnings,
    );
  });
});

test("nodes in such texts have places", async () => {
  await withFixtureFolder({ "openapi.yaml": "a: [\n{b: 1},#c\n2\n]\nd: 1\n" }, async (folder) => {
    const { locate } = await readSource(path.join(folder, "openapi.yaml"), folder);
    expect([["a", "0", "b"], ["a", "1"], ["d"]].map(locate)).toEqual([
      { line: 2, column: 2 },
      { line: 3, column: 1 },
      { line: 5, column: 1 },
    ]);
  });
});

test("as many comments are read as stay within the size limit of a file, read again for each", async () => {
  const text = `${"- ''#\n".repeat(1000)}${"#".repeat(2 ** 20)}`;
  await withFixtureFolder({ "openapi.yaml": text }, async (folder) => {
    await expect(readSource(path.join(folder, "openapi.yaml"), folder)).rejects.toThrow("openapi.yaml:65:5");
  });
});
