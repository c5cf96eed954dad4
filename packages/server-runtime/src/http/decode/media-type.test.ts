import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText, propertyRuns } from "../../../../../test/support/property-testing.js";
import { isAcceptable } from "./accept.js";
import { contentFor, isJson, isUtf8, mediaTypeEssence, parseMediaType } from "./media-type.js";

describe("a media type", () => {
  it("may be one of JSON", () => {
    const json = [
      "application/json",
      "text/json",
      "application/problem+json",
      "application/JSON; charset=utf-8",
      "*/*",
    ];
    const other = ["text/plain", "application/jsonl", "image/json", "application/json-seq", "application/xml"];
    expect([json.map(isJson), other.map(isJson)]).toEqual([json.map(() => true), other.map(() => false)]);
  });

  it.each([
    ["application/json", "application/json", []],
    ['Text/HTML;Charset="UTF-8"', "text/html", [["charset", "UTF-8"]]],
    [
      'a/b ; \t c=d;e="f\\"g;h"',
      "a/b",
      [
        ["c", "d"],
        ["e", 'f"g;h'],
      ],
    ],
    ["a/b;;c=d;", "a/b", [["c", "d"]]],
    ["application/vnd.a+json", "application/vnd.a+json", []],
    ["a/b;", "a/b", []],
    ['multipart/form-data; boundary="a b"', "multipart/form-data", [["boundary", "a b"]]],
  ])("%s", (text, essence, parameters) => {
    const type = parseMediaType(text);
    expect([type?.essence, [...(type?.parameters ?? [])]]).toEqual([essence, parameters]);
  });

  it.each([
    "",
    "a",
    "a/",
    "/b",
    "a/b/c",
    " a/b",
    "a/b, c/d",
    "a/b\tc",
    "a/b;c",
    "a/b;c=",
    "a/b; c =d",
    'a/b;c="d',
    "a/b;c=d e",
    "a/b;c=d;C=e",
    "a/b\u0000",
    "a/b;c=d\n",
    "é/b",
    "*/*",
  ])("%o is not valid", (text) => {
    expect(parseMediaType(text)).toBeUndefined();
  });

  it("is parsed in linear time", () => {
    const long = `a/b${"; \t".repeat(100_000)}`;
    expect(parseMediaType(`${long}=`)).toBeUndefined();
    expect(parseMediaType(`a/b;c="${"\\".repeat(100_001)}`)).toBeUndefined();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(anyText(), (text) => void parseMediaType(`a/b;${text}`)),
      propertyRuns(200, 10_000),
    );
  });

  it("chooses the most specific content", () => {
    const contents = { "image/png": 1, "image/*": 2, "*/*": 3 };
    const chosen = ["image/png", "image/gif", "a/b"].map((essence) =>
      contentFor(contents, { essence, parameters: new Map() }),
    );
    expect(chosen).toEqual([1, 2, 3]);
    expect(contentFor({}, { essence: "__proto__/x", parameters: new Map() })).toBeUndefined();
  });

  it("has an essence, also when it is malformed", () => {
    const texts = ["Application/JSON ; charset=utf-8", "text/plain;;", "", "json"];
    expect(texts.map(mediaTypeEssence)).toEqual(["application/json", "text/plain", "", "json"]);
  });

  it("is UTF-8 or not", () => {
    const charsets = ["", ";charset=utf8", ";charset=UTF-8", ";charset=us-ascii", ";charset=utf-16", ";charset=utf-7"];
    expect(
      charsets.map((each) => isUtf8(parseMediaType(`a/b${each}`) ?? { essence: "", parameters: new Map() })),
    ).toEqual([true, true, true, true, false, false]);
  });
});

describe("Accept", () => {
  it.each([
    ["*/*", true],
    ["", true],
    ["application/json", true],
    ["APPLICATION/JSON", true],
    ["application/json; charset=utf-8", true],
    ["application/json, text/plain, */*", true],
    ["application/*", true],
    ["text/*, application/json;q=0.1", true],
    ["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", true],
    ["text/html", false],
    ["application/json;q=0", false],
    ["application/json;q=0.000, */*", false],
    ["application/*;q=0, */*", false],
    ["application/json;q=x", false],
    ["application/vnd.api+json", false],
    [",,", false],
  ])("%s", (accept, expected) => {
    expect(isAcceptable(accept, ["application/json"])).toBe(expected);
  });

  it("has to be one of the documented types", () => {
    expect(isAcceptable("text/plain", ["application/json", "text/plain"])).toBe(true);
  });

  it.each([
    ["application/json", "*/*", true],
    ["image/*;q=0.5", "*/*", true],
    ["image/png", "image/*", true],
    ["image/png;q=0, */*", "image/*", true],
    ["IMAGE/*", "image/*", true],
    ["application/json", "image/*", false],
    ["image/png;q=0", "image/*", false],
    ["image/*;q=0, */*", "image/*", false],
  ])("%s has something of the documented range %s: %s", (accept, range, expected) => {
    expect(isAcceptable(accept, [range])).toBe(expected);
  });
});
