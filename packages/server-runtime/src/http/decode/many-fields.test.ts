import { expect, it, vi } from "vitest";
import type { Issues } from "../issues/issues.js";
import { jsonBody } from "./bodies.js";
import { maxJsonProperties } from "./json-text.js";
import { parseMediaType } from "./media-type.js";

/** The issues of a body, and how often it was parsed. */
function read(text: string): { readonly issues: readonly string[]; readonly parsed: number } {
  const type = parseMediaType("application/json");
  if (type === undefined) throw new Error("unknown media type");
  const parse = vi.spyOn(JSON, "parse");
  try {
    const issues: Issues = [];
    jsonBody(new TextEncoder().encode(text), type, issues);
    return { issues: issues.map(({ code, first }) => `${code} ${String(first)}`), parsed: parse.mock.calls.length };
  } finally {
    parse.mockRestore();
  }
}

const fields = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",");

it("parses as many properties as allowed", () => {
  expect(read(`{${fields(maxJsonProperties)}}`)).toEqual({ issues: [], parsed: 1 });
  const halves = `[{${fields(maxJsonProperties / 2)}},{${fields(maxJsonProperties / 2)}}]`;
  expect(read(halves)).toEqual({ issues: [], parsed: 1 });
});

it.each([
  ["in one object", `{${fields(maxJsonProperties + 1)}}`],
  ["one name again and again", `{${'"label":1,'.repeat(90_000)}"label":1}`],
  ["in many objects", `[${'{"a":1},'.repeat(maxJsonProperties)}{"a":1}]`],
  ["within each other", `{"a":{${fields(maxJsonProperties)}}}`],
])("does not parse more: %s", (_, text) => {
  expect(read(text)).toEqual({ issues: [`tooManyParameters ${maxJsonProperties}`], parsed: 0 });
});

it.each([
  ["in a string", JSON.stringify(":".repeat(50_000))],
  ["behind an escaped quotation mark", JSON.stringify('":'.repeat(50_000))],
])("does not count colons %s", (_, text) => {
  expect(read(text)).toEqual({ issues: [], parsed: 1 });
});

it("reads a text whose last string is not terminated", () => {
  expect(read(`"${"a".repeat(50_000)}`)).toEqual({ issues: ["syntax JSON"], parsed: 1 });
  expect(read(`"${"a".repeat(50_000)}\\`)).toEqual({ issues: ["syntax JSON"], parsed: 1 });
});
