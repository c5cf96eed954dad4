import { describe, expect, it } from "vitest";
import type { Issues } from "../issues/issues.js";
import { queryOf } from "../request/validate-input.js";
import {
  firstOf,
  explodedPairs,
  booleanValue,
  commaDelimited,
  deepArray,
  firstSent,
  deepObject,
  explodedArray,
  explodedObject,
  fileField,
  fileFields,
  integerValue,
  jsonValue,
  labelStyle,
  matrixStyle,
  nullValue,
  numberValue,
  delimitedObject,
  singleValue,
  pipeDelimited,
  spaceDelimited,
  stringValue,
  type ParameterDecoder,
} from "./decoders.js";
import {
  identity,
  parametersByName,
  cookieParameters,
  headerParameters,
  pathParameters,
  type RawParameters,
} from "./raw-parameters.js";

/** The value, or its issues. */
function readFrom(sent: RawParameters, read: ParameterDecoder, name = "a"): unknown {
  const issues: Issues = [];
  const value = read(sent, name, issues);
  return issues.length === 0 ? value : issues.map(({ code, path }) => [code, ...path].join(" "));
}

const query = (value: string, read: ParameterDecoder) => {
  const issues: Issues = [];
  const sent = queryOf(value, issues);
  return issues.length === 0 ? readFrom(sent, read) : issues.map(({ code }) => code);
};
const path = (value: string, read: ParameterDecoder) => readFrom(pathParameters(["a"], [value]), read);

describe("a scalar", () => {
  it.each([
    [integerValue, "0", 0],
    [integerValue, "-12", -12],
    [integerValue, "9007199254740991", 9_007_199_254_740_991],
    [integerValue, "9007199254740992", ["safeInteger"]],
    [integerValue, "-0x1", ["type"]],
    [integerValue, "1_000", ["type"]],
    [integerValue, "1\n", ["type"]],
    [integerValue, "٣", ["type"]],
    [numberValue, "-1.5e+3", -1500],
    [numberValue, "1.", ["type"]],
    [numberValue, ".5", ["type"]],
    [numberValue, "1e400", ["type"]],
    [numberValue, "NaN", ["type"]],
    [booleanValue, "true", true],
    [booleanValue, "True", ["type"]],
    [booleanValue, "1", ["type"]],
    [nullValue, "null", null],
    [nullValue, "", ["type"]],
    [stringValue, "", ""],
    [jsonValue, '{"x":1}', { x: 1 }],
    [jsonValue, '{"x":1,"x":2}', ["duplicateParameter x"]],
    [firstOf(integerValue, booleanValue), "7", 7],
    [firstOf(integerValue, booleanValue), "false", false],
    [firstOf(integerValue, booleanValue), "x", ["type"]],
  ])("%o of %s", (read, given, value) => {
    expect(query(`a=${encodeURIComponent(given)}`, singleValue(read))).toEqual(value);
  });

  it("is absent or occurs once", () => {
    expect(query("b=1", singleValue(stringValue))).toBeUndefined();
    expect(query("a", singleValue(stringValue))).toBe("");
    expect(query("a=1&a=1", singleValue(stringValue))).toEqual(["duplicateParameter"]);
  });
});

describe("a list", () => {
  it.each([
    ["a=1&a=2", explodedArray(integerValue), [1, 2]],
    ["a=1&a=x&a=y", explodedArray(integerValue), ["type 1", "type 2"]],
    ["a=1", explodedArray(integerValue), [1]],
    ["b=1", explodedArray(integerValue), undefined],
    ["a=1,2", commaDelimited(integerValue), [1, 2]],
    ["a=x%2Cy,z", commaDelimited(stringValue), ["x,y", "z"]],
    ["a=1,,2", commaDelimited(integerValue), ["type 1"]],
    ["a=1,2&a=3", commaDelimited(integerValue), ["duplicateParameter"]],
    ["a=1%202+3", spaceDelimited(integerValue), [1, 2, 3]],
    ["a=1%7C2|3", pipeDelimited(integerValue), [1, 2, 3]],
  ])("%s", (given, read, value) => {
    expect(query(given, read)).toEqual(value);
  });

  it("of a million commas is an issue, and takes no time", () => {
    expect(readFrom(pathParameters(["a"], [",".repeat(1_000_000)]), commaDelimited(integerValue))).toEqual([
      "tooManyParameters",
    ]);
    expect(query(`a=${",".repeat(1_000_000)}`, commaDelimited(integerValue))).toEqual(["tooLong"]);
  });

  it("in a header may have spaces, and is not percent-encoded", () => {
    const sent = headerParameters((name) => (name === "a" ? "x%20, y" : undefined));
    expect(readFrom(sent, commaDelimited(stringValue))).toEqual(["x%20", "y"]);
  });
});

describe("an object", () => {
  const fields = { x: singleValue(integerValue), y: singleValue(stringValue) };
  it.each([
    ["a=x,1,y,b%2Cc", delimitedObject({ x: integerValue, y: stringValue }), { x: 1, y: "b,c" }],
    ["a=x,1,y", delimitedObject({ x: integerValue }), ["type"]],
    ["a=x,1,x,2", delimitedObject({ x: integerValue }), ["duplicateParameter x"]],
    ["a=__proto__,1", delimitedObject({}), JSON.parse('{"__proto__":"1"}')],
    ["a=z,q", delimitedObject({ x: integerValue }, integerValue), ["type z"]],
    ["a=x=1,y=2", explodedPairs({ x: integerValue }), { x: 1, y: "2" }],
    ["a=x", explodedPairs({ x: integerValue }), ["type"]],
    ["x=1&y=b&z=c", explodedObject(fields), { x: 1, y: "b" }],
    ["z=c", explodedObject(fields), undefined],
    ["x=1&z=c&o=d&f[o]=e", explodedObject(fields, singleValue(stringValue), ["o", "f"]), { x: 1, z: "c" }],
    ["a[x]=1&a%5By%5D=b&a[z]=c", deepObject(fields), { x: 1, y: "b" }],
    ["a[x]=1&a[x]=2", deepObject(fields), ["duplicateParameter x"]],
    ["a[x]=q&a[y]=b", deepObject(fields), ["type x"]],
    ["a[z]=3&a[x]=1", deepObject(fields, singleValue(integerValue)), { x: 1, z: 3 }],
    ["a[b][x]=1", deepObject({ b: deepObject(fields) }), { b: { x: 1 } }],
    ["a[x]=1&a[x]=2", deepObject({ x: explodedArray(integerValue) }), { x: [1, 2] }],
    ["a[]=1&a[]=2", deepArray(singleValue(integerValue)), [1, 2]],
    ["a[1]=2&a[0]=1&a[10]=3", deepArray(singleValue(integerValue)), [1, 2, 3]],
    ["a=1&a=2", deepArray(singleValue(integerValue)), [1, 2]],
    ["a=1", deepArray(singleValue(integerValue)), [1]],
    ["a[]=q&a[]=2", deepArray(singleValue(integerValue)), ["type 0"]],
    ["a[b]=q", deepArray(singleValue(integerValue)), undefined],
    ["a=1", firstSent(singleValue(integerValue), deepObject(fields)), 1],
    ["a[x]=1", firstSent(singleValue(integerValue), deepObject(fields)), { x: 1 }],
    ["a=q&a[x]=1", firstSent(singleValue(integerValue), deepObject(fields)), { x: 1 }],
    ["b=1", firstSent(singleValue(integerValue), deepObject(fields)), undefined],
    ["a[0][x]=1&a[1][y]=b", deepArray(deepObject(fields)), [{ x: 1 }, { y: "b" }]],
    ["a[0][x]=q", deepArray(deepObject(fields)), ["type 0 x"]],
    ["a[0][y][]=b&a[0][y][]=c", deepArray(deepObject({ y: deepArray(singleValue(stringValue)) })), [{ y: ["b", "c"] }]],
    ["a[99999][x]=1", deepArray(deepObject(fields)), [{ x: 1 }]],
    ["a[100000][x]=1", deepArray(deepObject(fields)), undefined],
    ["a[__proto__]=1", deepObject({}, singleValue(stringValue)), JSON.parse('{"__proto__":"1"}')],
    ["a[__proto__][x]=1", deepObject({}, singleValue(stringValue)), undefined],
    ["a[999999999]=1", deepObject({}, singleValue(stringValue)), { 999999999: "1" }],
  ])("%s", (given, read, value) => {
    expect(query(given, read)).toEqual(value);
  });
});

describe("a path segment", () => {
  it.each([
    ["a%20b", singleValue(stringValue), "a b"],
    ["a+b", singleValue(stringValue), "a+b"],
    ["1,2", commaDelimited(integerValue), [1, 2]],
    [".5", labelStyle(singleValue(integerValue)), 5],
    ["5", labelStyle(singleValue(integerValue)), ["type"]],
    [".1,2", labelStyle(commaDelimited(integerValue)), [1, 2]],
    [".1.2", labelStyle(commaDelimited(integerValue, ".")), [1, 2]],
    [".x=1.y=b", labelStyle(explodedPairs({ x: integerValue }, stringValue, ".")), { x: 1, y: "b" }],
    [";a=5", matrixStyle(singleValue(integerValue)), 5],
    [";b=5", matrixStyle(singleValue(integerValue)), undefined],
    [";a", matrixStyle(singleValue(stringValue)), ""],
    ["a=5", matrixStyle(singleValue(integerValue)), ["type"]],
    [";a=1,2", matrixStyle(commaDelimited(integerValue)), [1, 2]],
    [";a=1;a=2", matrixStyle(explodedArray(integerValue)), [1, 2]],
    [
      ";x=1;y=b",
      matrixStyle(explodedObject({ x: singleValue(integerValue), y: singleValue(stringValue) })),
      { x: 1, y: "b" },
    ],
  ])("%s", (given, read, value) => {
    expect(path(given, read)).toEqual(value);
  });
});

it("a cookie is percent-encoded, and may have quotes", () => {
  const sent = cookieParameters('x=1; a="b%20c"; d');
  expect(readFrom(sent, singleValue(stringValue))).toBe("b c");
  expect(readFrom(cookieParameters("a=%zz"), singleValue(stringValue))).toEqual(["syntax"]);
  expect(readFrom(cookieParameters(undefined), singleValue(stringValue))).toBeUndefined();
});

it("a file is a file, and a text is not", () => {
  const photo = new Blob(["x"]);
  const sent = parametersByName(
    new Map<string, string | Blob | (string | Blob)[]>([
      ["a", photo],
      ["b", "x"],
      ["c", [photo, "x"]],
    ]),
    identity,
  );
  expect(readFrom(sent, fileField)).toBe(photo);
  expect(readFrom(sent, fileField, "b")).toEqual(["type"]);
  expect(readFrom(sent, fileField, "d")).toBeUndefined();
  expect(readFrom(sent, fileFields)).toEqual([photo]);
  expect(readFrom(sent, fileFields, "c")).toEqual(["type 1"]);
  expect(readFrom(sent, singleValue(stringValue))).toEqual(["type"]);
});
