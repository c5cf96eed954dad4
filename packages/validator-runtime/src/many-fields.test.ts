import { expect, it, vi } from "vitest";
import { json } from "./bodies.js";
import type { Faults } from "./faults.js";
import { mostFields } from "./json-text.js";
import { parseMediaType } from "./media-type.js";

/** The faults of a body, and how often it was parsed. */
function read(text: string): { readonly faults: readonly string[]; readonly parsed: number } {
  const type = parseMediaType("application/json");
  if (type === undefined) throw new Error("unknown media type");
  const parse = vi.spyOn(JSON, "parse");
  try {
    const faults: Faults = [];
    json(new TextEncoder().encode(text), type, faults);
    return { faults: faults.map(({ code, first }) => `${code} ${String(first)}`), parsed: parse.mock.calls.length };
  } finally {
    parse.mockRestore();
  }
}

const fields = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",");

it("parses as many properties as allowed", () => {
  expect(read(`{${fields(mostFields)}}`)).toEqual({ faults: [], parsed: 1 });
  const halves = `[{${fields(mostFields / 2)}},{${fields(mostFields / 2)}}]`;
  expect(read(halves)).toEqual({ faults: [], parsed: 1 });
});

it.each([
  ["in one object", `{${fields(mostFields + 1)}}`],
  ["one name again and again", `{${'"label":1,'.repeat(90_000)}"label":1}`],
  ["in many objects", `[${'{"a":1},'.repeat(mostFields)}{"a":1}]`],
  ["within each other", `{"a":{${fields(mostFields)}}}`],
])("does not parse more: %s", (_, text) => {
  expect(read(text)).toEqual({ faults: [`many ${mostFields}`], parsed: 0 });
});

it.each([
  ["in a string", JSON.stringify(":".repeat(50_000))],
  ["behind an escaped quotation mark", JSON.stringify('":'.repeat(50_000))],
])("does not count colons %s", (_, text) => {
  expect(read(text)).toEqual({ faults: [], parsed: 1 });
});

it("reads a text whose last string is not terminated", () => {
  expect(read(`"${"a".repeat(50_000)}`)).toEqual({ faults: ["syntax JSON"], parsed: 1 });
  expect(read(`"${"a".repeat(50_000)}\\`)).toEqual({ faults: ["syntax JSON"], parsed: 1 });
});
