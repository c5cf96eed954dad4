import { expect, test } from "vitest";
import { addJsonEntry } from "./json-text.js";

test.each([
  ["of one line", '{"name":"pets"}', '{"name":"pets","scripts":{"build":"tsc"}}'],
  [
    "of a line each",
    '{\n    "name": "pets"\n}\n',
    '{\n    "name": "pets",\n    "scripts": {\n        "build": "tsc"\n    }\n}\n',
  ],
  ["that is empty", "{}\n", '{\n  "scripts": {\n    "build": "tsc"\n  }\n}\n'],
])("an object %s keeps its style", (_, text, expected) => {
  const withScripts = addJsonEntry(text, [], { key: "scripts", value: {} });
  expect(addJsonEntry(withScripts, ["scripts"], { key: "build", value: "tsc" })).toBe(expected);
});
