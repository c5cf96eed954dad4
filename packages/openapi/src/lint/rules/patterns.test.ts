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

  test.each(["^(a+)+$", "^(a|a)*$", "^(ab|ab)*$", "^(\\w+\\s?)*$"])("%s is not", async (pattern) => {
    expect(await lintMessages("patterns/backtracking", string(pattern))).toEqual([
      "The time to match a hostile text doubles with every few characters.",
    ]);
  });

  test("what grows with a power of the length passes while the length is bounded", async () => {
    expect(await lintMessages("patterns/backtracking", string("^[a-z]+[a-z]+$", 3162))).toEqual([]);
    expect(await lintMessages("patterns/backtracking", string("^[a-z]+[a-z]+$", 3163))).toEqual([
      "The time to match a hostile text grows with the length to the power of 2.",
    ]);
  });
});

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
