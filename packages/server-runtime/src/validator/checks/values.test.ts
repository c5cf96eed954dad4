import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../../test/support/property-testing.js";
import { hasOwn, isPresent, isArray, isObject, ownField, valueAt } from "../../http/index.js";
import { isEqual, isMultipleOf, isUnique, isUniqueBy } from "./values.js";

const proto = JSON.parse('{"__proto__": 1}') as Readonly<Record<string, unknown>>;

test.each<[unknown, boolean, boolean]>([
  [{}, true, false],
  [Object.create(null), true, false],
  [[], false, true],
  [null, false, false],
  ["", false, false],
  [undefined, false, false],
])("%j is an object: %s, an array: %s", (value, object, list) => {
  expect([isObject(value), isArray(value)]).toEqual([object, list]);
});

test.each<[unknown, string, boolean, boolean]>([
  [{ a: 1 }, "a", true, true],
  [{ a: null }, "a", true, false],
  [{ a: 0 }, "a", true, true],
  [{}, "toString", false, false],
  [proto, "__proto__", true, true],
  [{}, "__proto__", false, false],
  [["a"], "length", false, false],
  [null, "a", false, false],
])("%j has %s: %s, and not null: %s", (value, field, has, given) => {
  expect([hasOwn(value, field), isPresent(value, field)]).toEqual([has, given]);
});

test("inherited properties are not own properties", () => {
  expect([ownField({}, "constructor"), ownField(proto, "__proto__"), ownField({ a: null }, "a")]).toEqual([
    undefined,
    1,
    null,
  ]);
});

test.each<[readonly (string | number)[], unknown]>([
  [[], { list: [{ a: null }] }],
  [["list", 0, "a"], null],
  [["list", "0", "a"], null],
  [["list", "length"], undefined],
  [["list", ""], undefined],
  [["list", 1, "a"], undefined],
  [["constructor", "name"], undefined],
])("the path %j leads to %j", (path, value) => {
  expect(valueAt({ list: [{ a: null }] }, path)).toEqual(value);
});

describe("values are equal by content", () => {
  test.each<[unknown, unknown, boolean]>([
    [1, 1.0, true],
    [0, -0, true],
    [0, false, false],
    [1, "1", false],
    [null, undefined, false],
    [[], {}, false],
    [[1, 2], [2, 1], false],
    [[1], [1, undefined], false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [{ toString: 1 }, {}, false],
    [proto, {}, false],
  ])("%j and %j: %s", (a, b, equal) => {
    expect([isEqual(a, b), isEqual(b, a)]).toEqual([equal, equal]);
  });

  test("and unique items have no equal ones", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 }), (items) => {
        const pairs = items.flatMap((a, index) => items.slice(index + 1).map((b) => [a, b] as const));
        expect(isUnique(items)).toBe(!pairs.some(([a, b]) => isEqual(a, b)));
      }),
      propertyRuns(100, 5000),
    );
  });
});

test.each<[unknown[], string[], boolean]>([
  [[{ a: 1 }, { a: 2 }], ["a"], true],
  [
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ],
    ["a"],
    false,
  ],
  [
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ],
    ["a", "b"],
    true,
  ],
  [[{ a: "1" }, { a: 1 }], ["a"], true],
  [[{}, {}], ["a"], false],
  [[1, 1, null], ["a"], true],
])("%j are unique by %j: %s", (items, fields, unique) => {
  expect(isUniqueBy(items, fields)).toBe(unique);
});

test.each<[number, number, boolean]>([
  [10, 2, true],
  [7, 2, false],
  [-4, 2, true],
  [0, 0.01, true],
  [19.99, 0.01, true],
  [0.3, 0.1, true],
  [1.1, 0.1, true],
  [0.35, 0.1, false],
  [4.35, 0.01, true],
  [1e308, 0.5, true],
  [1e308, 0.123456789, false],
  [1e-7, 1e-8, true],
  [1e-8, 1e-7, false],
  [12_391_239_123, 1e-8, true],
])("%d is a multiple of %d: %s", (value, of, is) => {
  expect(isMultipleOf(value, of)).toBe(is);
});
