import * as fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/support/property-testing.js";
import type { Issues } from "../issues/issues.js";
import { readJson, readUtf8 } from "./json-text.js";

function read(text: string): { readonly value: unknown; readonly issues: readonly string[] } {
  const issues: Issues = [];
  const value = readJson(text, issues);
  return { value, issues: issues.map(({ code, path }) => [code, ...path].join(" ")) };
}

it.each([
  ["{", ["syntax"]],
  ["", ["syntax"]],
  ["\ufeff1", ["syntax"]],
  ["1 2", ["syntax"]],
  ['{"a":1,"a":2}', ["duplicateParameter a"]],
  ['{"a":1,"\\u0061":2}', ["duplicateParameter a"]],
  ['{"a":{"a":1},"b":[{"c":":"},{"d":[1,[2,{"e":1,"f":{},"e":2}]]}]}', ["duplicateParameter b 1 d 1 1 e"]],
  ['{"a\\\\":1,"a\\"":2,"a\\"" : 3}', ['duplicateParameter a"']],
  ['{"__proto__":1,"__proto__":2}', ["duplicateParameter __proto__"]],
  ['["\\ud800"]', ["unicode 0"]],
  ['{"a":{"\\uDFFF":1}}', ["unicode a"]],
  ['"\\ud83d\\ude00"', []],
  ['{"a":[1,{"b":"a:b,{\\"c\\":"}]}', []],
  [`${"[".repeat(64)}${"]".repeat(64)}`, []],
  [`${"[".repeat(65)}${"]".repeat(65)}`, ["depth"]],
])("%s", (text, issues) => {
  expect(read(text).issues).toEqual(issues);
});

it("agrees with JSON.parse on texts without duplicate keys", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.constantFrom(0, 2, "\t"), (text, space) => {
      const spaced = JSON.stringify(JSON.parse(text), null, space);
      expect(read(spaced)).toEqual({ value: JSON.parse(spaced) as unknown, issues: [] });
    }),
    propertyRuns(300, 10_000),
  );
});

it("finds a duplicate key", () => {
  const value = fc.letrec<{ object: unknown; any: unknown }>((tie) => ({
    object: fc.dictionary(fc.string(), tie("any"), { maxKeys: 4 }),
    any: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), fc.array(tie("any"), { maxLength: 3 }), tie("object")),
  })).any;
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), value, value, (path, key, first, second) => {
      const planted = `{"x":${JSON.stringify(first)},${JSON.stringify(`${key}!`)}:1,${JSON.stringify(`${key}!`)}:${JSON.stringify(second)}}`;
      const nested = path.reduceRight((inner, name) => `[{${JSON.stringify(name)}:${inner}}]`, planted);
      expect(read(nested).issues).toEqual([
        ["duplicateParameter", ...path.flatMap((name) => [0, name]), `${key}!`].join(" "),
      ]);
    }),
    propertyRuns(300, 10_000),
  );
});

it("parses every text as JSON.parse does, or reports an issue", () => {
  const pieces = fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', '"b"', "1", '"\\', "\\u", "d800", " ", "null");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (all) => {
      const text = all.join("");
      const { value, issues } = read(text);
      if (issues.length === 0) expect(value).toEqual(JSON.parse(text));
      else expect(value).toBeUndefined();
    }),
    propertyRuns(1000, 20_000),
  );
});

it("keeps __proto__ as an ordinary key", () => {
  const { value } = read('{"__proto__":{"polluted":1}}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value as object)).toEqual(["__proto__"]);
});

it("accepts valid UTF-8", () => {
  const issues: Issues = [];
  expect(readUtf8(new TextEncoder().encode("😀é"), issues)).toBe("😀é");
  for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
    expect(readUtf8(new Uint8Array(bad), issues)).toBeUndefined();
  }
  expect(issues.map(({ code }) => code)).toEqual(["unicode", "unicode", "unicode", "unicode"]);
});
