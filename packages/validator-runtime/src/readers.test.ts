import { describe, expect, it } from "vitest";
import type { Faults } from "./faults.js";
import { queryOf } from "./judge.js";
import {
  anyOf,
  assigned,
  boolean,
  csv,
  deepObject,
  exploded,
  explodedObject,
  file,
  files,
  integer,
  jsonText,
  label,
  matrix,
  nothing,
  number,
  object,
  one,
  pipeDelimited,
  spaceDelimited,
  text,
  type Reader,
} from "./readers.js";
import { asItIs, sentByName, sentInCookies, sentInHeaders, sentInPath, type Sent } from "./sent.js";

/** The value, or its faults. */
function readFrom(sent: Sent, read: Reader, name = "a"): unknown {
  const faults: Faults = [];
  const value = read(sent, name, faults);
  return faults.length === 0 ? value : faults.map(({ code, path }) => [code, ...path].join(" "));
}

const query = (given: string, read: Reader) => {
  const faults: Faults = [];
  const sent = queryOf(given, faults);
  return faults.length === 0 ? readFrom(sent, read) : faults.map(({ code }) => code);
};
const path = (given: string, read: Reader) => readFrom(sentInPath(["a"], [given]), read);

describe("a scalar", () => {
  it.each([
    [integer, "0", 0],
    [integer, "-12", -12],
    [integer, "9007199254740991", 9_007_199_254_740_991],
    [integer, "9007199254740992", ["type"]],
    [integer, "-0x1", ["type"]],
    [integer, "1_000", ["type"]],
    [integer, "1\n", ["type"]],
    [integer, "٣", ["type"]],
    [number, "-1.5e+3", -1500],
    [number, "1.", ["type"]],
    [number, ".5", ["type"]],
    [number, "1e400", ["type"]],
    [number, "NaN", ["type"]],
    [boolean, "true", true],
    [boolean, "True", ["type"]],
    [boolean, "1", ["type"]],
    [nothing, "null", null],
    [nothing, "", ["type"]],
    [text, "", ""],
    [jsonText, '{"x":1}', { x: 1 }],
    [jsonText, '{"x":1,"x":2}', ["once x"]],
    [anyOf(integer, boolean), "7", 7],
    [anyOf(integer, boolean), "false", false],
    [anyOf(integer, boolean), "x", ["type"]],
  ])("%o of %s", (read, given, value) => {
    expect(query(`a=${encodeURIComponent(given)}`, one(read))).toEqual(value);
  });

  it("is absent or occurs once", () => {
    expect(query("b=1", one(text))).toBeUndefined();
    expect(query("a", one(text))).toBe("");
    expect(query("a=1&a=1", one(text))).toEqual(["once"]);
  });
});

describe("a list", () => {
  it.each([
    ["a=1&a=2", exploded(integer), [1, 2]],
    ["a=1&a=x&a=y", exploded(integer), ["type 1", "type 2"]],
    ["a=1", exploded(integer), [1]],
    ["b=1", exploded(integer), undefined],
    ["a=1,2", csv(integer), [1, 2]],
    ["a=x%2Cy,z", csv(text), ["x,y", "z"]],
    ["a=1,,2", csv(integer), ["type 1"]],
    ["a=1,2&a=3", csv(integer), ["once"]],
    ["a=1%202+3", spaceDelimited(integer), [1, 2, 3]],
    ["a=1%7C2|3", pipeDelimited(integer), [1, 2, 3]],
  ])("%s", (given, read, value) => {
    expect(query(given, read)).toEqual(value);
  });

  it("of a million commas is a fault, and takes no time", () => {
    expect(readFrom(sentInPath(["a"], [",".repeat(1_000_000)]), csv(integer))).toEqual(["many"]);
    expect(query(`a=${",".repeat(1_000_000)}`, csv(integer))).toEqual(["long"]);
  });

  it("in a header may have spaces, and is not percent-encoded", () => {
    const sent = sentInHeaders((name) => (name === "a" ? "x%20, y" : undefined));
    expect(readFrom(sent, csv(text))).toEqual(["x%20", "y"]);
  });
});

describe("an object", () => {
  const fields = { x: one(integer), y: one(text) };
  it.each([
    ["a=x,1,y,b%2Cc", object({ x: integer, y: text }), { x: 1, y: "b,c" }],
    ["a=x,1,y", object({ x: integer }), ["type"]],
    ["a=x,1,x,2", object({ x: integer }), ["once x"]],
    ["a=__proto__,1", object({}), JSON.parse('{"__proto__":"1"}')],
    ["a=z,q", object({ x: integer }, integer), ["type z"]],
    ["a=x=1,y=2", assigned({ x: integer }), { x: 1, y: "2" }],
    ["a=x", assigned({ x: integer }), ["type"]],
    ["x=1&y=b&z=c", explodedObject(fields), { x: 1, y: "b" }],
    ["z=c", explodedObject(fields), undefined],
    ["a[x]=1&a%5By%5D=b&a[z]=c", deepObject(fields), { x: 1, y: "b" }],
    ["a[x]=1&a[x]=2", deepObject(fields), ["once x"]],
    ["a[x]=q&a[y]=b", deepObject(fields), ["type x"]],
    ["a[z]=3&a[x]=1", deepObject(fields, one(integer)), { x: 1, z: 3 }],
    ["a[b][x]=1", deepObject({ b: deepObject(fields) }), { b: { x: 1 } }],
    ["a[x]=1&a[x]=2", deepObject({ x: exploded(integer) }), { x: [1, 2] }],
    ["a[__proto__]=1", deepObject({}, one(text)), JSON.parse('{"__proto__":"1"}')],
    ["a[__proto__][x]=1", deepObject({}, one(text)), undefined],
    ["a[999999999]=1", deepObject({}, one(text)), { 999999999: "1" }],
  ])("%s", (given, read, value) => {
    expect(query(given, read)).toEqual(value);
  });
});

describe("a path segment", () => {
  it.each([
    ["a%20b", one(text), "a b"],
    ["a+b", one(text), "a+b"],
    ["1,2", csv(integer), [1, 2]],
    [".5", label(one(integer)), 5],
    ["5", label(one(integer)), ["type"]],
    [".1,2", label(csv(integer)), [1, 2]],
    [".1.2", label(csv(integer, ".")), [1, 2]],
    [".x=1.y=b", label(assigned({ x: integer }, ".")), { x: 1, y: "b" }],
    [";a=5", matrix(one(integer)), 5],
    [";b=5", matrix(one(integer)), undefined],
    ["a=5", matrix(one(integer)), ["type"]],
    [";a=1,2", matrix(csv(integer)), [1, 2]],
    [";a=1;a=2", matrix(exploded(integer)), [1, 2]],
    [";x=1;y=b", matrix(explodedObject({ x: one(integer), y: one(text) })), { x: 1, y: "b" }],
  ])("%s", (given, read, value) => {
    expect(path(given, read)).toEqual(value);
  });
});

it("a cookie is percent-encoded, and may have quotes", () => {
  const sent = sentInCookies('x=1; a="b%20c"; d');
  expect(readFrom(sent, one(text))).toBe("b c");
  expect(readFrom(sentInCookies("a=%zz"), one(text))).toEqual(["syntax"]);
  expect(readFrom(sentInCookies(undefined), one(text))).toBeUndefined();
});

it("a file is a file, and a text is not", () => {
  const photo = new Blob(["x"]);
  const sent = sentByName(
    new Map<string, string | Blob | (string | Blob)[]>([
      ["a", photo],
      ["b", "x"],
      ["c", [photo, "x"]],
    ]),
    asItIs,
  );
  expect(readFrom(sent, file)).toBe(photo);
  expect(readFrom(sent, file, "b")).toEqual(["type"]);
  expect(readFrom(sent, file, "d")).toBeUndefined();
  expect(readFrom(sent, files)).toEqual([photo]);
  expect(readFrom(sent, files, "c")).toEqual(["type 1"]);
  expect(readFrom(sent, one(text))).toEqual(["type"]);
});
