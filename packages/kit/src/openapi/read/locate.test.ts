import { expect, test } from "vitest";
import { createLocator } from "./locate.js";

const yaml = `openapi: 3.1.0
paths:
  /pets:
    get: {tags: [a, b], responses: {200: {description: ok}}}
    put: &shared
      summary: a
    post: *shared
empty:
`;

test.each<[string, readonly string[], readonly [line: number, column: number]]>([
  ["the whole", [], [1, 1]],
  ["a key", ["paths"], [2, 1]],
  ["a nested key", ["paths", "/pets", "put", "summary"], [6, 7]],
  ["an item of a list", ["paths", "/pets", "get", "tags", "1"], [4, 21]],
  ["a key that is not a string", ["paths", "/pets", "get", "responses", "200", "description"], [4, 43]],
  ["what an alias leads to", ["paths", "/pets", "post", "summary"], [6, 7]],
  ["an empty value", ["empty"], [8, 1]],
  ["the nearest that is there", ["paths", "/pets", "patch", "summary"], [3, 3]],
  ["the nearest in an empty value", ["empty", "more"], [8, 1]],
  ["the nearest in a text", ["openapi", "more"], [1, 1]],
  ["the nearest in a list", ["paths", "/pets", "get", "tags", "7"], [4, 11]],
])("finds %s", (_, tokens, [line, column]) => {
  expect(createLocator(yaml, "yaml")(tokens)).toEqual({ line, column });
});

const json = String.raw`{
  "openapi": "3.1.0",
  "paths": {
    "/pets": {"get": {"tags": ["a, ]}", "\\\"{", {"x": -1.5e3}],"summary":null}},
    "/\u0061": {"put": [[], {}, 2]}
  },
  "empty": {}
}`;

test.each<[string, readonly string[], readonly [line: number, column: number]]>([
  ["the whole", [], [1, 1]],
  ["a key", ["paths"], [3, 3]],
  ["a nested key", ["paths", "/pets", "get", "summary"], [4, 65]],
  ["an item of a list", ["paths", "/pets", "get", "tags", "1"], [4, 41]],
  ["inside an item", ["paths", "/pets", "get", "tags", "2", "x"], [4, 51]],
  ["a key with escapes", ["paths", "/a", "put", "1"], [5, 29]],
  ["the nearest that is there", ["paths", "/pets", "patch"], [4, 5]],
  ["the nearest in an empty value", ["empty", "more"], [7, 3]],
  ["the nearest in a text", ["openapi", "more"], [2, 3]],
])("finds %s in JSON, as in YAML", (_, tokens, [line, column]) => {
  expect(createLocator(json, "json")(tokens)).toEqual({ line, column });
  expect(createLocator(json, "yaml")(tokens)).toEqual({ line, column });
});

test.each<[string, readonly string[], readonly [line: number, column: number]]>([
  ["an alias in a list", ["c", "0"], [2, 6]],
  ["what it leads to", ["c", "0", "0"], [1, 8]],
  ["an item with an anchor", ["c", "1"], [2, 12]],
  ["an entry of it", ["c", "1", "e"], [2, 13]],
  ["the nearest at an item that is empty", ["f", "0"], [3, 1]],
  ["the last of two keys", ["g", "h"], [5, 11]],
])("finds %s", (_, tokens, [line, column]) => {
  const text = "a: &b [1]\nc: [*b, &d {e: 1}]\nf:\n  -\ng: {h: 1, h: 2}\n";
  expect(createLocator(text, "yaml")(tokens)).toEqual({ line, column });
});

test("an invalid text has only its beginning", () => {
  expect(createLocator("a: [", "yaml")(["a"])).toEqual({ line: 1, column: 1 });
});

test("finds places after line ends of Windows", () => {
  expect(createLocator("a: 1\r\nb: 2\r\n", "yaml")(["b"])).toEqual({ line: 2, column: 1 });
});

test("an empty file begins at its beginning", () => {
  expect(createLocator("", "yaml")(["a"])).toEqual({ line: 1, column: 1 });
});
