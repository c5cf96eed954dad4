import { describe, expect, it } from "vitest";
import type { Schema } from "../api.js";
import { assertions, bounds, numericKeywords } from "./keywords.js";
import type { MeasureName } from "./measure.js";
import { sizeLimits, statedLimits } from "./size-limits.js";

const schema = (keywords: Omit<Schema, "types" | "origin">): Schema => ({
  types: [],
  origin: { file: "", pointer: "" },
  ...keywords,
});

/** A value of a size. */
const valueOf: Readonly<Record<MeasureName, (size: number) => unknown>> = {
  // Two UTF-16 units and four bytes each.
  characters: (size) => "😀".repeat(size),
  number: (size) => size,
  items: (size) => Array.from({ length: size }, () => null),
  properties: (size) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`field${index}`, null])),
};

describe("a bound", () => {
  it.each(bounds.filter(({ countsMatches }) => !countsMatches))("$name ends where it says", (bound) => {
    const test = bound.testOf?.(schema({ [bound.name]: 5 }));
    const value = valueOf[bound.measure];
    expect(test?.(value(bound.atLimit(5)))).toBe(true);
    expect(test?.(value(bound.pastLimit(5)))).toBe(false);
    expect(test?.(null)).toBe(true);
    expect(bound.testOf?.(schema({}))).toBeUndefined();
  });

  it.each(bounds)("$name: the stricter of two applies, and a stricter one is tighter", (bound) => {
    const [loose, strict] = bound.side === "lower" ? [3, 4] : [4, 3];
    expect(bound.combine(loose, strict)).toBe(strict);
    // `minimum` and `maximum` report the limit that applies, whichever keyword states it.
    const reports = bound.isExclusive
      ? bounds.filter(
          ({ side, measure, isExclusive }) => side === bound.side && measure === bound.measure && !isExclusive,
        )
      : [bound];
    const item = schema({});
    const [old, next] = [
      schema({ contains: item, [bound.name]: loose }),
      schema({ contains: item, [bound.name]: strict }),
    ];
    expect(
      reports.map((each) => [each.changeOf(old, next), each.changeOf(next, old), each.changeOf(old, old)]),
    ).toEqual([["tightened", "loosened", undefined]]);
  });

  it("an exclusive bound of integers is the inclusive one beside it", () => {
    const minimum = bounds.find(({ name }) => name === "minimum");
    const integer = { ...schema({ exclusiveMinimum: 4 }), types: ["integer"] } as const;
    expect(minimum?.changeOf(integer, { ...schema({ minimum: 5 }), types: ["integer"] })).toBeUndefined();
    expect(minimum?.changeOf(schema({ exclusiveMinimum: 4 }), schema({ minimum: 4 }))).toBe("loosened");
  });

  it("without contains has no meaning", () => {
    const changes = bounds
      .filter((each) => each.countsMatches)
      .map((each) => each.changeOf(schema({}), schema({ [each.name]: 3 })));
    expect(changes).toEqual([undefined, undefined]);
  });
});

it("a multiple is tighter if it is a multiple of the old one", () => {
  const multipleOf = numericKeywords.find(({ name }) => name === "multipleOf");
  const change = (old: number, next: number) =>
    multipleOf?.changeOf(schema({ multipleOf: old }), schema({ multipleOf: next }));
  expect([change(0.01, 0.07), change(0.07, 0.01), change(2, 3), change(2, 2)]).toEqual([
    "tightened",
    "loosened",
    "changed",
    undefined,
  ]);
  expect([multipleOf?.combine(2, 2), multipleOf?.combine(2, 3)]).toEqual([2, undefined]);
  const test = multipleOf?.testOf?.(schema({ multipleOf: 0.01 }));
  expect([test?.(0.07), test?.(0.075), test?.("0.075")]).toEqual([true, false, true]);
});

it.each([
  [{ enum: ["a", null] }, null, "b"],
  [{ const: { a: [1] } }, { a: [1] }, { a: [2] }],
  [{ pattern: "^a+$" }, "aa", "ab"],
  [{ uniqueItems: true }, [1, "1"], [{ a: 1 }, { a: 1 }]],
  [{ dependentRequired: { a: ["b"] } }, { a: 1, b: 2 }, { a: 1 }],
] as const)("%j decides", (keywords, valid, invalid) => {
  const tests = assertions.flatMap(({ testOf }) => testOf?.(schema(keywords)) ?? []);
  expect(tests.map((test) => [test(valid), test(invalid)])).toEqual([[true, false]]);
});

it("the strictest of several limits applies, and is stated by the same keywords", () => {
  const limits = sizeLimits("characters", [
    { minLength: 1, maxLength: 9 },
    { minLength: 2 },
    { maxLength: 7, maxItems: 3 },
  ]);
  expect(limits).toEqual({ least: 2, most: 7 });
  expect(Object.entries(statedLimits("characters", limits))).toEqual([
    ["minLength", 2],
    ["maxLength", 7],
  ]);
  expect(statedLimits("matches", { most: 0 })).toEqual({ maxContains: 0 });
  expect(sizeLimits("exclusiveNumber", [{ minimum: 1 }])).toEqual({ least: undefined, most: undefined });
});
