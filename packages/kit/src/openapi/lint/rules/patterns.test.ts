import { describe, expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages } from "../lint-fixture.support.js";

const string = (pattern: string, maxLength = 200) => ({
  properties: `slug: {type: string, maxLength: ${maxLength}, pattern: '${pattern}'}`,
});

describe("patterns/backtracking", () => {
  test.each(["^[a-z0-9-]+$", "^([a-z0-9]+\\.)+[a-z]{2,63}$", "^(?!-)[a-z-]{3,32}$", "^(ab*)*$"])(
    "%s is safe",
    async (pattern) => {
      expect(await lintFixture(buildDescription(string(pattern)))).toEqual([]);
    },
  );

  const message = (length: number) =>
    `Most matchers of this pattern are only sure to be fast with texts of up to ${length} characters: with longer ones, some may become slow.`;

  test.each([
    ["^(a+)+$", 8],
    ["^(a|a)*$", 7],
    ["^(ab|ab)*$", 15],
    ["^(\\w+\\s?)*$", 7],
    ["(?:a|a)".repeat(26), 6],
  ])("%s is not", async (pattern, length) => {
    expect(await lintMessages("patterns/backtracking", string(pattern))).toEqual([message(length)]);
  });

  test("a pattern of keys is not either", async () => {
    const properties = "flags: {type: object, patternProperties: {'^(e+)+$': {type: boolean}}}";
    expect(await lintMessages("patterns/backtracking", { properties })).toEqual([message(8)]);
    const names = "flags: {type: object, propertyNames: {pattern: '^(e+)+$'}}";
    expect(await lintMessages("patterns/backtracking", { properties: names })).toEqual([message(8)]);
  });

  test("what grows with a power of the length passes while the length is bounded", async () => {
    expect(await lintMessages("patterns/backtracking", string("^[a-z]+[a-z]+$", 250))).toEqual([]);
    expect(await lintMessages("patterns/backtracking", string("^[a-z]+[a-z]+$", 251))).toEqual([message(250)]);
  });

  test("longer texts never match a backreference", async () => {
    const pattern = '^(["]).*\\1$';
    expect(await lintMessages("patterns/backtracking", string(pattern, 249))).toEqual([]);
    expect(await lintMessages("patterns/backtracking", string(pattern, 250))).toEqual([
      "Every matcher of this pattern becomes slow with some texts of more than 249 characters, so longer texts never match.",
    ]);
  });

  test("is a warning in a description of others", async () => {
    const found = await lintFixture(buildDescription(string("^(a+)+$")), "minimal");
    expect(found).toMatchObject([{ code: "patterns/backtracking", severity: "warning" }]);
  });
});

test.each(["minimal", "strict"] as const)(
  "patterns/unmatchable: what no matcher can do is an error, %s",
  async (ruleset) => {
    const found = await lintFixture(buildDescription(string("^(a*)*\\1$")), ruleset);
    expect(found).toMatchObject([{ code: "patterns/unmatchable", severity: "error" }]);
  },
);

test("patterns/syntax: patterns compile with the u flag", async () => {
  expect(await lintMessages("patterns/syntax", string("^[\\w-.]+$"))).toEqual([
    "This is not a valid regular expression: invalid character class.",
  ]);
  expect(await lintMessages("patterns/syntax", string("^[\\w.-]+$"))).toEqual([]);
  const keys = "flags: {type: object, patternProperties: {'^[a-z\\_]+$': {type: boolean}}}";
  expect(await lintMessages("patterns/syntax", { properties: keys })).toEqual([
    "This is not a valid regular expression: invalid escape.",
  ]);
});

test("in a description of others, a warning says how a pattern is read", async () => {
  const [diagnostic] = await lintFixture(buildDescription(string("^[\\w-.]+\\_$")), "minimal");
  expect(diagnostic).toMatchObject({ code: "patterns/syntax", severity: "warning" });
  expect(diagnostic?.fix).toMatch(/^It is read as \^\[\\w\\-\.\]\+_\$\. /);
});

describe("patterns/unbounded", () => {
  test.each(["pattern: '^[a-z]+$'", "format: date-time"])("%s needs a bound", async (keyword) => {
    expect(await lintMessages("patterns/unbounded", { properties: `slug: {type: string, ${keyword}}` })).toHaveLength(
      1,
    );
    expect(
      await lintMessages("patterns/unbounded", { properties: `slug: {type: [string, 'null'], ${keyword}}` }),
    ).toHaveLength(1);
    expect(
      await lintFixture(buildDescription({ properties: `slug: {type: string, maxLength: 64, ${keyword}}` })),
    ).toEqual([]);
  });

  test("a file needs none", async () => {
    expect(await lintMessages("patterns/unbounded", { properties: "photo: {type: string, format: binary}" })).toEqual(
      [],
    );
  });

  test("numbers, and texts of which there are few, need none", async () => {
    expect(
      await lintFixture(
        buildDescription({
          properties: "size: {type: integer, format: int64}\nday: {type: string, format: date, enum: ['2026-01-01']}",
        }),
      ),
    ).toEqual([]);
  });
});
