import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Issues } from "../issues/issues.js";
import { reasonOf } from "../issues/reasons.js";
import { readJson } from "./json-text.js";

function read(text: string): { readonly value: unknown; readonly issues: readonly string[] } {
  const issues: Issues = [];
  const value = readJson(text, issues);
  return { value, issues: issues.map((issue) => [...issue.path, reasonOf(issue)].join(" ")) };
}

const integers = "must be exactly representable, at most 9007199254740991";
const doubles = "must be exactly representable, at most 1.7976931348623157e+308";

it.each([
  ["1e400", doubles],
  ["[-1e400]", `0 ${doubles}`],
  ["[1e0309]", `0 ${doubles}`],
  [`[${"9".repeat(400)}]`, `0 ${doubles}`],
  ["9007199254740993", integers],
  ["-9007199254740993", integers],
  ["12345678901234567890", integers],
  ['{"a":1,"b":{"c":[{"d":"9007199254740993"},{"\\u0064":[1, 9007199254740993 ]}]}}', `b c 1 d 1 ${integers}`],
  ['{"\\"1e400,[":{"e":[[],{},"]",{"f":1E+400}]}}', `"1e400,[ e 3 f ${doubles}`],
  ['{"10":0,"2":1e999}', `2 ${doubles}`],
])("a number that a double cannot represent is reported with its path: %s", (text, issue) => {
  expect(read(text)).toEqual({ value: undefined, issues: [issue] });
});

it.each([
  "9007199254740991",
  "-9007199254740992",
  "9007199254740994",
  // What JSON.stringify writes for a double, which is less exact than the double.
  "123456789012345680000",
  // The exact digits of the same double, as languages with large integers write them.
  "123456789012345683968",
  "1000000000000000000000",
  "1e308",
  "1.2345678901234567890123",
  "0.30000000000000004",
  "1e-400",
  '"9007199254740993 1e400"',
  '{"9007199254740993":"1e400"}',
  '{"a\\"1e400":{"b":["\\\\",1e300]}}',
])("%s is parsed exactly", (text) => {
  expect(read(text)).toEqual({ value: JSON.parse(text) as unknown, issues: [] });
});

it("whatever JSON.stringify writes can be parsed", () => {
  const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger());
  fc.assert(
    fc.property(fc.array(fc.oneof(numbers, fc.string(), fc.dictionary(fc.string(), numbers))), (value) => {
      const text = JSON.stringify(value);
      expect(read(text)).toEqual({ value: JSON.parse(text) as unknown, issues: [] });
    }),
    { numRuns: 2000 },
  );
});

it("the first of several is reported, wherever it is", () => {
  const path = fc.array(fc.oneof(fc.string(), fc.nat(3)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(path, fc.constantFrom("1e400", "-9007199254740993"), (keys, number) => {
      const text = keys.reduceRight<string>((inner, key) => {
        if (typeof key === "number") return `[${"0.30000000000000004,".repeat(key)}${inner},1e999]`;
        return `{${JSON.stringify(`${key}!`)}:[1e300,"1e400"],${JSON.stringify(key)}:${inner}}`;
      }, number);
      const issues: Issues = [];
      expect(readJson(text, issues)).toBeUndefined();
      expect(issues.map((issue) => issue.path)).toEqual([keys]);
    }),
    { numRuns: 2000 },
  );
});
