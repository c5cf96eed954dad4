import { describe, expect, test } from "vitest";
import { addIssue, addIssueAt, defineOperation, isValid, type Issues } from "../../http/index.js";
import { ignoreCustomChecks, bindTarget, checkCustomKeyword, hasCustomFormat, type CustomChecks } from "./index.js";

const names = { formats: ["iban", "money"], keywords: ["x-luhn"] };

const valid: Required<CustomChecks> = {
  formats: { iban: /^[A-Z]{2}\d/g, money: { type: "number", validate: (value) => value >= 0 } },
  keywords: { "x-luhn": (value, digits) => value === digits || `must be ${String(digits)}` },
};

/** What a generator writes for `{properties: {account: {format: iban}, price: {format: money}}, x-luhn: 3}`, beside an issue of its own. */
const putItem = defineOperation<{ readonly body: unknown }>({
  name: "putItem",
  method: "PUT",
  path: "/item",
  body: {
    contents: {
      "application/json": {
        check: (value, issues) => {
          const { account, price, number, own } = value as Readonly<Record<string, unknown>>;
          if (own !== undefined) addIssue(issues, "false");
          for (const each of [account, price])
            if (
              (typeof each === "string" || typeof each === "number") &&
              !hasCustomFormat(each, each === price ? "money" : "iban")
            )
              addIssueAt(issues, each === price ? "price" : "account", "format", "iban");
          if (number !== undefined) checkCustomKeyword(number, issues, "x-luhn", 3);
        },
      },
    },
  },
});

const issuesOf = (checks: CustomChecks, body: unknown) => {
  const result = bindTarget(putItem, checks, names).body(body);
  return result.ok ? [] : result.issues.map(({ field, code, reason }) => [field, code, reason]);
};

describe("a format", () => {
  test("is a pattern, also with a flag that makes `test` remember its end", () => {
    for (const _ of [1, 2, 3]) expect(issuesOf(valid, { account: "DE1" })).toEqual([]);
    expect(issuesOf(valid, { account: "D1" })).toEqual([["account", "format", "must be of the format iban"]]);
  });

  test("applies to the type that it states", () => {
    expect(issuesOf(valid, { price: -1 })).toHaveLength(1);
    expect(issuesOf(valid, { price: 0 })).toEqual([]);
    expect(issuesOf(valid, { price: "-1" })).toEqual([]);
    const text = { ...valid, formats: { ...valid.formats, iban: { type: "string", validate: /x/ } as const } };
    expect(issuesOf(text, { account: 5 })).toEqual([]);
    expect(issuesOf(text, { account: "y" })).toHaveLength(1);
  });

  test.each([
    [undefined, "undefined"],
    [1, "a value of type number"],
    [Promise.resolve(true), "a promise"],
  ])("that returns %s is an error", (result, shown) => {
    const iban = (() => result) as never;
    expect(() => issuesOf({ ...valid, formats: { ...valid.formats, iban } }, { account: "x" })).toThrow(
      `The function of the format \`iban\` returned ${shown}. Return true or false.`,
    );
  });
});

describe("a keyword", () => {
  test("returns whether a value is valid, or the reason", () => {
    expect(issuesOf(valid, { number: 3 })).toEqual([]);
    expect(issuesOf(valid, { number: 4 })).toEqual([[undefined, "rule", "must be 3"]]);
    const silent = { ...valid, keywords: { "x-luhn": () => false } };
    expect(issuesOf(silent, { number: 3 })).toEqual([[undefined, "rule", "must satisfy x-luhn"]]);
  });

  test.each([null, 0, Promise.resolve(false)])("that returns %s is an error", (result) => {
    const keywords = { "x-luhn": (() => result) as never };
    expect(() => issuesOf({ ...valid, keywords }, { number: 3 })).toThrow("Return true, false or a text.");
  });

  test("may validate with other functions, and an error of it leaves nothing behind", () => {
    const other = bindTarget(putItem, { ...valid, keywords: { "x-luhn": () => "other" } }, names);
    const keywords = {
      "x-luhn": (value: unknown) => {
        if (value === 5) throw new RangeError("five");
        return other.body({ number: 1 }).ok || "both";
      },
    };
    expect(() => issuesOf({ ...valid, keywords }, { number: 5 })).toThrow(RangeError);
    expect(issuesOf({ ...valid, keywords }, { number: 1, account: "x" })).toEqual([
      ["account", "format", "must be of the format iban"],
      [undefined, "rule", "both"],
    ]);
    const unbound = { "x-luhn": () => putItem.body({ number: 1 }).ok };
    expect(() => issuesOf({ ...valid, keywords: unbound }, { number: 1 })).toThrow("Missing option `keywords.x-luhn`.");
  });

  test("is evaluated in conditions", () => {
    const condition = (value: unknown, issues: Issues): void => checkCustomKeyword(value, issues, "x-luhn", 3);
    const operation = defineOperation({
      ...putItem.definition,
      body: {
        contents: {
          "application/json": { check: (value, issues) => void (isValid(condition, value) && addIssue(issues, "not")) },
        },
      },
    });
    const bound = bindTarget(operation, valid, names);
    expect([bound.body(3).ok, bound.body(4).ok]).toEqual([false, true]);
  });
});

test.each<[given: unknown, message: string]>([
  [{}, "Missing option `formats.iban`. Provide a pattern or a function that checks it."],
  [{ ...valid, keywords: {} }, "Missing option `keywords.x-luhn`. Provide a function that checks it."],
  [{ ...valid, keywords: { "x-luhn": /a/ } }, "Option `keywords.x-luhn` is not valid. Provide a function."],
  [
    { ...valid, formats: { ...valid.formats, iban: "a" } },
    "Option `formats.iban` is not valid. Provide a pattern or a function.",
  ],
  [{ ...valid, formats: { ...valid.formats, iban: { validate: /a/ } } }, "Option `formats.iban` is not valid."],
  [
    { ...valid, formats: { ...valid.formats, money: { type: "number", validate: /a/ } } },
    "Option `formats.money` is not valid.",
  ],
  [
    { ...valid, formats: { ...valid.formats, ibn: /a/ } },
    "Unknown name `ibn` in option `formats`. The validator has iban, money.",
  ],
  [{ ...valid, formats: { iban: /a/, constructor: /a/ } }, "Unknown name `constructor` in option `formats`."],
])("functions %o are rejected", (given, message) => {
  expect(() => bindTarget(putItem, given as CustomChecks, names)).toThrow(message);
});

test("a later change of the options changes nothing", () => {
  const keywords: Record<string, () => boolean> = { "x-luhn": () => true };
  const bound = bindTarget(putItem, { ...valid, keywords }, names);
  keywords["x-luhn"] = () => false;
  expect(bound.body({ number: 1 }).ok).toBe(true);
});

test("checks that ignore custom formats and keywords keep their other issues", () => {
  const [ignoring] = ignoreCustomChecks([putItem]);
  expect(ignoring?.body({ account: "x", number: 1 })).toMatchObject({ ok: true });
  expect(ignoring?.body({ own: 1, number: 1 })).toMatchObject({ ok: false, issues: [{ code: "false" }] });
});
